package import Crypto
import Locking

/// The keys that were made ready last, so that all who sign with the same secret share one.
///
/// Worlds of one seed have the same secrets, and a key that is ready takes half a kilobyte. A key is a pure function of its
/// secret: whether it was remembered changes nothing but its cost. May be shared among threads.
package final class HMACKeys: Sendable {
    /// A process rarely has worlds of more seeds at a time; each API asks for one or two keys of a world.
    private static let capacity = 8

    private let known = Locked<[(secret: [UInt8], key: HMACKey)]>([])

    package init() {}

    /// The key of that secret.
    package func key(_ secret: [UInt8]) -> HMACKey {
        known.withLock { known in
            if let found = known.first(where: { $0.secret == secret }) { return found.key }
            let key = HMACKey(secret: secret)
            if known.count == Self.capacity { known.removeFirst() }
            known.append((secret, key))
            return key
        }
    }
}
