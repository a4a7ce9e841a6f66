import CFuzzer

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// libFuzzer's own `main` would collide with the one that SwiftPM gives every executable, so its driver is called.
// The input's first byte chooses the parser; inputs with another first byte are not kept in the corpus.
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv

let result = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
    let input = Array(UnsafeBufferPointer(start: data, count: size))
    guard let first = input.first, let target = FuzzTarget(rawValue: first) else { return -1 }
    target.run(input.dropFirst())
    return 0
}
exit(result)
