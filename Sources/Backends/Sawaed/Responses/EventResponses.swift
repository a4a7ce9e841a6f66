import Backend
import JSON

/// An event as lists show it (contract, section 9.1).
struct EventItem: ResponseModel {
    var row: Event
    var language: Language
    var region: String?
    var city: String?
    var posterUrl: String?

    static let shape = ResponseSchema<Self>(
        "EventItem",
        [
            .string("id") { $0.row.id },
            .string("title") { $0.row.title.text($0.language) },
            .string("description") { $0.row.description.text($0.language) },
            .milliseconds("startsAt") { $0.row.startsAt },
            .milliseconds("endsAt") { $0.row.endsAt },
            .nullableString("city") { $0.city },
            .nullableString("region") { $0.region },
            .nullableString("posterUrl") { $0.posterUrl },
            .boolean("isRegistrationRequired") { $0.row.isRegistrationRequired },
            .choice("registrationPolicy") { $0.row.registrationPolicy },
            .string("_id") { $0.row.id },
            .string("titleEn") { $0.row.title.en },
            .string("titleAr") { $0.row.title.ar },
            .string("descriptionEn") { $0.row.description.en },
            .string("descriptionAr") { $0.row.description.ar },
            .milliseconds("startingDate") { $0.row.startsAt },
            .milliseconds("endingDate") { $0.row.endsAt },
            .boolean("isPublished") { $0.row.isPublished },
        ]
    )
}

/// One event (contract, section 9.2).
struct EventDetail: ResponseModel {
    var item: EventItem

    static let shape = ResponseSchema<Self>(
        "EventDetail",
        EventItem.shape.members { $0.item } + [
            .nullableMilliseconds("registrationsOpenDate") { $0.item.row.registrationsOpenDate },
            .nullableMilliseconds("registrationsCloseDate") { $0.item.row.registrationsCloseDate },
            .boolean("allowWaitlist") { $0.item.row.allowWaitlist },
            .nullableInteger("capacity") { $0.item.row.capacity },
            .nullableString("externalRegistrationUrl") { $0.item.row.externalRegistrationUrl },
            .nullableInteger("maxRegistrationsPerUser") { $0.item.row.maxRegistrationsPerUser },
            .nullableString("termsUrl") { $0.item.row.termsUrl },
            .nullableString("contact") { $0.item.row.contact },
        ]
    )
}

struct EventItems: ResponseModel {
    var items: [EventItem]
    var nextCursor: String?

    static let shape = ResponseSchema<Self>(
        "EventItems",
        [.array("items") { $0.items }, .optionalString("nextCursor") { $0.nextCursor }]
    )
}

/// Contract, section 9.3.
struct RegisteredResponse: ResponseModel {
    var row: Registration

    static let shape = ResponseSchema<Self>(
        "Registered",
        [.string("id") { $0.row.id }, .choice("status") { $0.row.status }]
    )
}
