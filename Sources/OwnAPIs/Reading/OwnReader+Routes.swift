import HTTPMessage
import JSON
import OpenAPI

/// The routes of all sources together (own-API contract, section 3).
extension OwnReader {
    /// Refuses two routes of the same method and shape, also of sign-in; those of a document that another route takes
    /// are no routes of their own.
    mutating func settleRoutes(_ report: FileReport) {
        var settled: [OwnRoute] = []
        var places: [String: Int] = [:]
        for route in definition.routes {
            let shape = route.method.rawValue + " " + ((try? PathTemplate(route.template))?.shape ?? route.template)
            guard let place = places[shape] else {
                places[shape] = settled.count
                settled.append(route)
                continue
            }
            let first = settled[place]
            let names = "\(route.method.rawValue) \(route.template) and \(first.template)"
            report.error(line: route.line, "\(names) take the same requests: \(first.place) and \(route.place)")
        }
        definition.routes = settled
    }
}

extension OwnRoute {
    /// The line of its declaration.
    fileprivate var line: Int { place.split(separator: ":").last.flatMap { Int($0) } ?? 1 }
}
