#if canImport(Glibc)
import CPlatform
#elseif canImport(Darwin)
import Darwin
#endif

/// The process's memory.
enum Memory {
    /// Returns free memory to the system; this takes milliseconds, and any thread may do it.
    static func trim() {
        #if canImport(Glibc)
        _ = malloc_trim(0)
        #elseif canImport(Darwin)
        _ = malloc_zone_pressure_relief(nil, 0)
        #endif
    }
}
