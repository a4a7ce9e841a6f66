/// The names that a template may use besides those of every template.
package struct TemplateNames: Hashable, Sendable {
    /// Names that this owner adds, such as `total` or `error.status`.
    package var locals: [String]
    /// Those of them whose members and elements may be named too, such as `row` in `row.id`.
    package var structures: [String]
    /// The parameters that `path.NAME` can mean; nil where they are not known beforehand.
    package var pathParameters: [String]?
    /// The states that `state.NAME` can mean; nil where they are not known beforehand.
    package var states: [String]?

    package init(
        locals: [String] = [],
        structures: [String] = [],
        pathParameters: [String]? = nil,
        states: [String]? = nil
    ) {
        self.locals = locals
        self.structures = structures
        self.pathParameters = pathParameters
        self.states = states
    }
}
