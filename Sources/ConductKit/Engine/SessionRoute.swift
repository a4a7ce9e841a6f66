/// A session with a route: what goes on after its end is one occurrence on each route.
package struct SessionRoute: Hashable, Sendable {
    var session: Int32
    var route: Int32

    package init(_ session: Int32, _ x: JudgedExchange) {
        self.session = session
        route = x.row.route
    }
}
