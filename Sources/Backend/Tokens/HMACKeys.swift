import Basics
package import Crypto

/// The keys that were prepared last, shared by all signers with the same secret.
///
/// Worlds of one seed have the same secrets, and a prepared key takes half a kilobyte. A key is a pure function of its
/// secret, so the cache affects only its cost. It may be shared among threads.
package final class HMACKeys: Sendable {
    /// The number of keys kept.
    ///
    /// A process rarely has worlds of more seeds at a time, and each API uses one or two keys of a world.
    private static let capacity = 8

    private let known = Locked<[(secret: [UInt8], key: HMACKey)]>([])

    package init() {}

    /// Returns the key of that secret.
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
