#if canImport(Glibc)
import CPlatform
#elseif canImport(Darwin)
import Darwin
#endif

extension SystemThread {
    /// Lets the calling thread give way to the loop as soon as that has something to do, where both share a core.
    ///
    /// A thread that works for milliseconds would keep the loop, and each client, waiting until its turn is over.
    static func giveWay() {
        #if canImport(Glibc)
        understudy_set_turn(20_000_000)
        #elseif canImport(Darwin)
        _ = pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }
}
