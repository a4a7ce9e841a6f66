package import CivilTime

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The portable poller, on poll(2); its cost grows with the number of descriptors.
package final class PollPoller: Poller {
    package let wakeUp: WakeUp
    private var entries: [pollfd] = []
    private var tokens: [UInt64] = []
    /// The index of a descriptor in `entries`, by its number; -1 for none.
    private var places: [Int] = []

    package init() throws(Errno) {
        let ends: (Int32, Int32)
        switch Socket.openPipe() {
        case .success(let opened): ends = opened
        case .failure(let error): throw error
        }
        wakeUp = WakeUp(reader: OwnedDescriptor(ends.0), writer: OwnedDescriptor(ends.1))
        try add(wakeUp.descriptor, token: .max, interest: .read)
    }

    package func add(_ descriptor: Int32, token: UInt64, interest: Interest) throws(Errno) {
        guard descriptor >= 0 else { throw Errno(code: EBADF) }
        while places.count <= Int(descriptor) { places.append(-1) }
        guard places[Int(descriptor)] < 0 else { throw Errno(code: EEXIST) }
        places[Int(descriptor)] = entries.count
        entries.append(pollfd(fd: descriptor, events: Self.mask(interest), revents: 0))
        tokens.append(token)
    }

    package func change(_ descriptor: Int32, token: UInt64, interest: Interest) {
        guard let place = place(of: descriptor) else { return }
        entries[place].events = Self.mask(interest)
        tokens[place] = token
    }

    package func remove(_ descriptor: Int32) {
        guard let place = place(of: descriptor) else { return }
        let last = entries.count - 1
        if place != last {
            entries[place] = entries[last]
            tokens[place] = tokens[last]
            places[Int(entries[place].fd)] = place
        }
        entries.removeLast()
        tokens.removeLast()
        places[Int(descriptor)] = -1
    }

    package func wait(atMost timeout: Interval?, into events: inout [PollEvent]) {
        events.removeAll(keepingCapacity: true)
        let ready = poll(&entries, nfds_t(entries.count), Interval.pollMilliseconds(timeout))
        // An interrupted wait reports nothing; the loop waits again for the remaining time.
        guard ready > 0 else { return }
        var left = ready
        // The wake-up pipe is the first entry and is never removed.
        for place in entries.indices where entries[place].revents != 0 {
            let found = entries[place].revents
            if place == 0 {
                wakeUp.drain()
            } else {
                events.append(
                    PollEvent(
                        token: tokens[place],
                        readable: found & (Int16(POLLIN) | Self.peerEnd) != 0,
                        writable: found & Int16(POLLOUT) != 0,
                        broken: found & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
                    )
                )
            }
            left -= 1
            if left == 0 { break }
        }
    }

    private func place(of descriptor: Int32) -> Int? {
        guard descriptor >= 0, Int(descriptor) < places.count else { return nil }
        let place = places[Int(descriptor)]
        return place < 0 ? nil : place
    }

    private static func mask(_ interest: Interest) -> Int16 {
        var mask: Int16 = 0
        if interest.contains(.read) { mask |= Int16(POLLIN) }
        if interest.contains(.write) { mask |= Int16(POLLOUT) }
        if interest.contains(.end) { mask |= peerEnd }
        return mask
    }

    /// The event of a peer that has ended its direction.
    #if canImport(Glibc)
    /// `POLLRDHUP`, which the C library hides from standard programs.
    private static let peerEnd: Int16 = 0x2000
    #else
    /// The only such event; when requested it is reported for a half-closed peer, too.
    private static let peerEnd = Int16(POLLHUP)
    #endif
}
