import ConductKit
import HTTPMessage

/// A list as one client pages through it: the path, and the members of the query beside those of paging.
struct ListScope: Hashable {
    var owner: Int32
    var path: String
    var members: [String]

    init(_ x: JudgedExchange, owner: Int32, without: Set<String>) {
        self.owner = owner
        path = "\(x.exchange.api)\(x.exchange.path)"
        members = x.query.items.filter { !without.contains($0.name) }.map { "\($0.name)=\($0.value)" }.sorted()
    }
}
