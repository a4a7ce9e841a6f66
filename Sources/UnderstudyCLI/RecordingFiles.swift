import ClientCommands
import Proxying
import Recording
import Transport
import Understudy

/// The names of recordings as people write them.
enum RecordingFiles {
    /// Returns the name with the ending that tells whether the recording holds secrets.
    ///
    /// A name without any ending gets `.har`.
    static func outputName(_ name: String, redacts: Bool) -> String {
        let mark = RecordingPlace.unredacted + RecordingPlace.ending
        guard redacts else {
            guard !name.hasSuffix(mark) else { return name }
            return (name.hasSuffix(".har") ? String(name.dropLast(4)) : name) + mark
        }
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let hasEnding = last.isEmpty || last.contains(".") || FolderReader.exists(name)
        return hasEnding ? name : name + RecordingPlace.ending
    }

    /// Returns the file of that name, or the one with the ending that the name lacks.
    static func inputName(_ name: String) -> String {
        let endings = [RecordingPlace.ending, RecordingPlace.unredacted + RecordingPlace.ending]
        let names = [name] + endings.map { name + $0 }
        return names.first { FolderReader.exists($0) && !FolderReader.isFolder($0) } ?? name
    }
}
