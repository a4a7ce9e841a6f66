import Testing

@testable import Transport

/// Folders for what the program writes (control contract, section 13).
@Suite struct DataFileTests {
    @Test func `13 a folder that is there is no error, one that can't be made names the reason`() throws {
        try DataFile.makeFolder("/tmp")
        #expect(throws: Errno.self) { try DataFile.makeFolder("/no-such-folder/recordings") }
    }
}
