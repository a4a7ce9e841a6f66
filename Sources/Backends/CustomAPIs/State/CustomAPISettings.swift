import Backend
import JSON

/// The settings that every custom API has (own-API contract, section 10).
package struct CustomAPISettings: Sendable, Equatable {
    /// The consequence of a request that breaks the document.
    package enum Validation: String, CaseIterable, Sendable { case off, report, enforce }

    package var validation = Validation.report
    var compress = Toggle.off
    /// The place of each state's value among those that are declared.
    package var states: [Int] = []
    /// The number of changes of states by requests, for which a response waits where worlds are stored.
    package var changes = 0

    /// The settings of the sign-in, where there is one.
    package var signIn = SignInSettings()

    package init() {}
}

extension CustomAPIDefinition {
    /// Every setting of the API.
    var allSettings: [SettingDeclaration<CustomAPIState>] {
        let validation: SettingDeclaration<CustomAPIState> = .choice(
            "validation",
            "The handling of a request that violates the OpenAPI document",
            \.settings.validation
        )
        let named = states.enumerated().map { place, state in
            SettingDeclaration<CustomAPIState>(
                "states.\(state.name)",
                .choice(state.values),
                "The state \(state.name)",
                get: { .string(state.values[$0.settings.states[place]]) },
                set: { changed, value in
                    guard let text = value.stringValue, let value = state.values.firstIndex(of: text) else { return }
                    changed.settings.states[place] = value
                }
            )
        }
        return [validation] + named + settings + [.compress(\.settings.compress)]
    }
}
