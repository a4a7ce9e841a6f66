import JSON
import OpenAPI

/// A schema of rows that is read as those of the OpenAPI document are.
struct DocumentSchema: RowSchema {
    private let schema: Schema
    private let members: [Schema.Member]

    init(_ schema: Schema) {
        self.schema = schema
        members = schema.members
    }

    // What clients can't write need not be there.
    func issues(in row: JSON) -> [JSONIssue] { schema.validate(row, direction: .request) }

    func withDefaults(_ row: JSON) -> JSON { schema.withDefaults(row) }

    func takesNull(_ path: [String]) -> Bool { schema.takesNull(at: path) }

    var readOnlyMembers: [String] { members.filter { $0.path.count == 1 && $0.isReadOnly }.map { $0.path[0] } }

    var writeOnlyMembers: [String] { members.filter { $0.path.count == 1 && $0.isWriteOnly }.map { $0.path[0] } }

    var scalarMembers: [ScalarMember] {
        members.filter { !$0.scalars.isEmpty }.map { member in
            var types: ScalarMember.Types = []
            if member.scalars.contains(.boolean) { types.insert(.bool) }
            if member.scalars.contains(.number) { types.insert(.number) }
            if member.scalars.contains(.text) { types.insert(.text) }
            if member.scalars.contains(.time) { types.insert(.time) }
            return ScalarMember(MemberPath(member.path), types)
        }
    }

    /// The schema as it is written.
    var json: JSON { schema.json }
}
