import Backend
import Conditions
import JSON
import Journal

extension JournalRecord {
    /// Returns everything that keeps an entry out of the journal of that world.
    ///
    /// `entry(in:)` throws the first mistake; the member with it is mended until there is none left.
    ///
    /// - Parameters:
    ///   - name: The name of the world.
    ///   - misfits: The paths of what could not be read, which has stand-ins that are not judged.
    /// - Returns: The faults.
    func faults(in name: String, besides misfits: [[JSONPathElement]] = []) -> [PartFault] {
        var rest = self
        var found: [PartFault] = []
        for path in misfits { _ = rest.mend(path) }
        while found.count < StateForm.mostFaults {
            do throws(PartFault) {
                _ = try rest.entry(in: name)
                break
            } catch {
                found.append(error)
                if !rest.mend(error.path) { break }
            }
        }
        return found
    }

    /// Gives a member a value that every entry can have; false for one that is not known.
    private mutating func mend(_ path: [JSONPathElement]) -> Bool {
        switch path.first {
        case "id": id = "mended"
        case "world": world = nil
        case "connection": connection = nil
        case "headers": headers = TextOrBytes([])
        case "body": body.mend(path.dropFirst().first)
        case "status": status = 200
        case "responseHeaders": responseHeaders = TextOrBytes([])
        case "responseBody": responseBody.mend(path.dropFirst().first)
        case "timings": timings = [0, 0, 0, 0]
        case "outcome": outcome = nil
        case "announcedLength": announcedLength = nil
        case "source": source = nil
        case "transport": transport = nil
        case "way": way = nil
        case "decisions":
            guard path.count > 1, case .index(let place) = path[1], decisions?.indices.contains(place) == true else {
                decisions = nil
                return true
            }
            decisions?[place].phase = FaultSpec.Phase.before.rawValue
        default: return false
        }
        return true
    }
}

extension JournalRecord.Body {
    fileprivate mutating func mend(_ member: JSONPathElement?) {
        switch member {
        case "digest": digest = nil
        default:
            if kept.bytes.count > JournalEntry.Body.wholeLimit { kept = TextOrBytes([]) }
            length = kept.bytes.count
        }
    }
}
