import Backend

/// A cache of serialized conversation lists.
///
/// Clients poll the list, which is a pure function of two tables and two settings. As long as none of them has changed,
/// the same bytes are the response.
struct ConversationLists: Sendable {
    /// The values that a list depends on, apart from its user.
    struct Basis: Sendable, Equatable {
        let conversations: UInt64
        let messages: UInt64
        let dates: OmniChatSettings.Dates
        let shapes: OmniChatSettings.Shapes

        init(_ state: OmniChatState) {
            conversations = state.conversations.version
            messages = state.messages.version
            dates = state.settings.dates
            shapes = state.settings.shapes
        }
    }

    /// The number of users whose lists are cached.
    private static let capacity = 32

    private var lists: [String: (basis: Basis, bytes: [UInt8])] = [:]

    /// The list of a user, if its basis is unchanged.
    func bytes(of user: String, basis: Basis) -> [UInt8]? {
        guard let list = lists[user], list.basis == basis else { return nil }
        return list.bytes
    }

    mutating func keep(_ bytes: [UInt8], of user: String, basis: Basis) {
        if lists.count >= Self.capacity, lists[user] == nil { lists.removeAll() }
        lists[user] = (basis, bytes)
    }
}
