/// The values of a switch that turns a behaviour on or off.
package enum Toggle: String, Codable, CaseIterable, Sendable { case on, off }
