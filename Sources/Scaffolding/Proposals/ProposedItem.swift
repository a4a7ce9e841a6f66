import JSON
import OpenAPI

/// The response that shows one row: the row, or an object that has it.
struct ProposedItem {
    let row: Schema
    let key: String
    /// The template; nil where the row itself is sent.
    let template: JSON?
    /// The member that has the row; nil where the row itself is sent.
    let member: String?

    /// Reads the schema of a response; nil if no row is found in it.
    ///
    /// `parameter` is the one that chooses the row.
    init?(_ response: Schema, parameter: String?) {
        guard response.form == .object else { return nil }
        if let key = response.key(parameter) {
            (row, self.key, template, member) = (response, key, nil, nil)
            return
        }
        let inner = response.memberNames.filter { name in
            response.member(name).map { $0.form == .object && $0.key(parameter) != nil } ?? false
        }
        guard inner.count == 1, let row = response.member(inner[0]), let key = row.key(parameter) else { return nil }
        let maker = ProposedTemplate { path, _ in path == [inner[0]] ? "{{row}}" : nil }
        (self.row, self.key, template, member) = (row, key, maker.object(response), inner[0])
    }

    /// The row in an example of the response.
    func row(in example: JSON) -> JSON? {
        guard let member else { return example }
        return example[member]
    }
}
