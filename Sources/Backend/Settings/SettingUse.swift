import Synchronization

/// Notes whether a setting was ever switched on, in any world: a look at it costs less than one at the setting.
package final class SettingUse: Sendable {
    private let wasUsed = Atomic(false)

    package init() {}

    package var isNoted: Bool { wasUsed.load(ordering: .relaxed) }

    package func note() { wasUsed.store(true, ordering: .relaxed) }
}
