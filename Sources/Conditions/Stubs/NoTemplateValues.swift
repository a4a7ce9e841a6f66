package import CivilTime
package import JSON
package import Templates

/// The values of an answer that has no placeholders.
package struct NoTemplateValues: TemplateValues {
    package let now = Instant.epoch
    package let anchors = (start: Instant.epoch, day: Instant.epoch)

    package init() {}

    package func value(of placeholder: Placeholder) -> JSON? { nil }
}
