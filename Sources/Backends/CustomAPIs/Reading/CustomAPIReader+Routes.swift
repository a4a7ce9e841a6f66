import APIFolders
import HTTPMessage
import JSON
import OpenAPI

/// The routes of all sources together (own-API contract, section 3).
extension CustomAPIReader {
    /// Refuses two declarations whose routes have the same method and shape, also of sign-in; those of a document that
    /// another route takes are no routes of their own.
    mutating func settleRoutes(_ report: FileReport) {
        var settled: [CustomRoute] = []
        var places: [String: Int] = [:]
        var told: Set<[CustomRoute.Place]> = []
        for route in definition.routes {
            let shape = route.method.rawValue + " " + ((try? PathTemplate(route.template))?.shape ?? route.template)
            guard let place = places[shape] else {
                places[shape] = settled.count
                settled.append(route)
                continue
            }
            // Two resources share all their routes; the first one says it.
            let first = settled[place]
            guard told.insert([first.place, route.place]).inserted else { continue }
            let other = "\(first.template) at \(first.place), \(first.place.path.formattedJSONPath)"
            report.error(
                route.place.path,
                "\(route.method.rawValue) \(route.template) matches the same requests as \(other)"
            )
        }
        definition.routes = settled
    }

    /// Returns the reason why no request can reach a route of that path; nil if one can.
    static func refusal(ofPath path: String) -> String? {
        if path.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            return "must be a path, without query and fragment"
        }
        let first = path.split(separator: "/").first
        return first == "__admin" ? "is reserved: /__admin is the control API on every port" : nil
    }
}

extension FileReport {
    /// Returns the place of a route that is declared there.
    func routePlace(_ path: [JSONPathElement]) -> CustomRoute.Place {
        CustomRoute.Place(file: place, line: line(of: path), path: path)
    }
}
