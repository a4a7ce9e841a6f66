package import Templates

/// The lists of a resource as `api.json` declares them (own-API contract, section 13).
package struct ListDefinition: Sendable, Equatable {
    /// The way in which a list comes in pages.
    package enum Style: String, CaseIterable, Sendable { case none, offset, page, cursor }

    /// The names of the parameters that are no filters.
    package struct Names: Sendable, Equatable {
        package var search = "q"
        package var sort = "sort"
        package var order = "order"
        package var limit = "limit"
        package var offset = "offset"
        package var page = "page"
        package var cursor = "cursor"
    }

    /// The content of a list; the array of rows if nil.
    package var envelope: Template?
    /// The members by which rows can be filtered; nil for all.
    package var filters: [String]? { didSet { filterNames = filters.map { Set($0) } } }
    private(set) var filterNames: Set<String>?
    /// The members in which a search looks; nil for all.
    package var search: [String]?
    /// The order unless a request asks for another.
    package var sort: [SortKey] = []
    package var style = Style.none
    package var limit = 20
    package var most = 100
    /// The number of the first page.
    package var firstPage = 1
    package var names = Names()

    /// The names that `envelope` has beside those of every template.
    package static let valueNames = [
        "items", "total", "count", "limit", "offset", "page", "pages", "next", "previous", "first", "last", "cursor",
        "more", "hasPrevious", "isFirst", "isLast", "isEmpty",
    ]
}
