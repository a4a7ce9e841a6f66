/// The version of Understudy.
package enum ProgramVersion {
    package static let number = "0.1.0"
}
