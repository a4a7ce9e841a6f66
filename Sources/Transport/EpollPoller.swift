#if canImport(Glibc)
package import CivilTime
import CPlatform
import Glibc

/// The Linux poller.
package final class EpollPoller: Poller {
    /// The token of the wake-up, which no owner may use.
    private static let wakeUpToken = UInt64.max
    private static let batch = 256

    package let wakeUp: WakeUp
    private let epoll: OwnedDescriptor
    private let buffer: UnsafeMutablePointer<epoll_event>

    package init() throws(Errno) {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .current }
        epoll = OwnedDescriptor(descriptor)
        let event = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard event >= 0 else { throw .current }
        wakeUp = WakeUp(reader: OwnedDescriptor(event), writer: nil)
        buffer = .allocate(capacity: Self.batch)
        try add(wakeUp.descriptor, token: Self.wakeUpToken, interest: .read)
    }

    deinit { buffer.deallocate() }

    package func add(_ descriptor: Int32, token: UInt64, interest: Interest) throws(Errno) {
        var event = epoll_event(events: Self.mask(interest), data: epoll_data_t(u64: token))
        guard epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) == 0 else { throw .current }
    }

    package func change(_ descriptor: Int32, token: UInt64, interest: Interest) {
        var event = epoll_event(events: Self.mask(interest), data: epoll_data_t(u64: token))
        _ = epoll_ctl(epoll.number, EPOLL_CTL_MOD, descriptor, &event)
    }

    package func remove(_ descriptor: Int32) {
        var event = epoll_event()
        _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, &event)
    }

    package func wait(atMost timeout: Interval?, into events: inout [PollEvent]) {
        events.removeAll(keepingCapacity: true)
        let microseconds = timeout.map { max($0.microseconds, 0) } ?? -1
        let count = understudy_epoll_wait(epoll.number, buffer, Int32(Self.batch), microseconds)
        // An interrupted wait reports nothing; the loop waits again for the remaining time.
        guard count > 0 else { return }
        for place in 0..<Int(count) {
            let event = buffer[place]
            guard event.data.u64 != Self.wakeUpToken else {
                wakeUp.drain()
                continue
            }
            events.append(
                PollEvent(
                    token: event.data.u64,
                    readable: event.events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0,
                    writable: event.events & EPOLLOUT.rawValue != 0,
                    broken: event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
                )
            )
        }
    }

    private static func mask(_ interest: Interest) -> UInt32 {
        var mask: UInt32 = 0
        if interest.contains(.read) { mask |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
        if interest.contains(.write) { mask |= EPOLLOUT.rawValue }
        if interest.contains(.end) { mask |= EPOLLRDHUP.rawValue }
        return mask
    }
}
#endif
