/// The ids of the credentials of one API, by kind: those that came with the rows of another world and are not good in
/// the world that has them now (console contract, section 5).
package struct CredentialNames: Codable, Sendable, Equatable {
    package let api: String
    private let sessions: Set<String>
    private let access: Set<String>
    private let refresh: Set<String>
    private let others: Set<String>

    package var isEmpty: Bool { sessions.isEmpty && access.isEmpty && refresh.isEmpty && others.isEmpty }

    /// Names what is in the ledger of an API.
    package init(_ api: String, _ ledger: Ledger) {
        self.api = api
        sessions = Set(ledger.sessions.map(\.id))
        access = Set(ledger.holdings.lazy.filter { $0.kind == .access }.map(\.id))
        refresh = Set(ledger.holdings.lazy.filter { $0.kind == .refresh }.map(\.id))
        others = Set(ledger.dues.compactMap(\.id))
    }

    /// Removes them from a ledger.
    package func leave(_ ledger: inout Ledger) {
        ledger.sessions.removeAll { sessions.contains($0.id) }
        ledger.holdings.removeAll { ($0.kind == .access ? access : refresh).contains($0.id) }
        ledger.dues.removeAll { $0.id.map(others.contains) ?? false }
    }

    private enum CodingKeys: String, CodingKey { case api, sessions, access, refresh, others }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        api = try members.decode(String.self, forKey: .api)
        sessions = Set(try members.decode([String].self, forKey: .sessions))
        access = Set(try members.decode([String].self, forKey: .access))
        refresh = Set(try members.decode([String].self, forKey: .refresh))
        others = Set(try members.decode([String].self, forKey: .others))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(api, forKey: .api)
        try members.encode(sessions.sorted(), forKey: .sessions)
        try members.encode(access.sorted(), forKey: .access)
        try members.encode(refresh.sorted(), forKey: .refresh)
        try members.encode(others.sorted(), forKey: .others)
    }
}
