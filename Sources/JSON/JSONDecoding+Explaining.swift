extension JSONDecoding {
    /// The reading of a value that goes on after what does not fit.
    package struct Explanation<Value> {
        /// The value with stand-ins for what does not fit; nil where that leaves no value.
        package let value: Value?
        /// Everything that does not fit, in the order of the value.
        package let issues: [JSONIssue]
        /// The paths of the stand-ins.
        package let misfits: [[JSONPathElement]]

        /// Tells that nothing in the value is a stand-in: all that does not fit are unknown members.
        package var isWhole: Bool { value != nil && misfits.isEmpty }
    }

    /// Reads a value that `decode` has refused, and finds everything that it would stop at.
    ///
    /// A part that does not fit gets a stand-in, the value with which the schema of its type is derived, and decoding
    /// goes on. So a type's own reading judges every member, in what no schema says too, such as times.
    package static func explain<Value: Decodable>(
        _ type: Value.Type,
        from json: JSON,
        options: Options = Options()
    ) -> Explanation<Value> {
        let journal = MemberJournal(notesMembers: options.rejectUnknownMembers, bytes: options.bytes, explains: true)
        let decoder = JSONValueDecoder(value: json, path: [], journal: journal)
        var value: Value?
        do {
            value = try decoder.decode(type)
        } catch let error as JSONDecodingError {
            journal.note(error.issues, at: [])
        } catch {
            journal.note([JSONIssue(path: [], reason: "\(error)")], at: [])
        }
        let unknown = journal.unknownMembers()
        return Explanation(
            value: value,
            issues: JSONIssue.inOrder(journal.misfits + unknown, of: json),
            misfits: journal.misfits.map(\.path)
        )
    }
}
