import Backend
import Worlds

/// The users behind credentials in parts of a world that still are as the seed has them.
///
/// Such a part has no state: to find a user in it, the state is made from the seed and thrown away. A replay does so for
/// each request, and clients repeat their credentials.
struct SeedUsers: Sendable {
    private struct Key: Hashable {
        /// The hosted world's number.
        var world: Int
        var api: Int
        /// The part's generation: what was true before a reset or an import need not be true after it.
        var generation: Int
        var credential: ExactText
    }

    /// The maximum number of credentials that are remembered.
    private static let capacity = 256
    /// The number of bytes up to which a credential is remembered.
    private static let longest = 2_048

    private var known: [Key: CallUser?] = [:]

    /// Returns the user behind a credential in a part without a state; nil if there is none.
    mutating func user(
        of credential: String,
        in world: World,
        of worldKey: Int,
        _ index: Int,
        _ api: AnyAPI
    ) -> CallUser? {
        guard credential.utf8.count <= Self.longest else { return api.user(world, index, credential) }
        let key = Key(
            world: worldKey,
            api: index,
            generation: world.parts[index].generation,
            credential: ExactText(credential)
        )
        if let user = known[key] { return user }
        if known.count >= Self.capacity { known.removeAll() }
        let user = api.user(world, index, credential)
        known[key] = .some(user)
        return user
    }
}
