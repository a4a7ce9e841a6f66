import Backend
import CivilTime
import JSON

/// The profile (section 8.1).
struct ProfileResponse: ResponseModel {
    struct Subscription: ResponseModel {
        var subscription: User.Subscription
        var plan: Plan?

        static let shape = ResponseSchema<Self>(
            "Subscription",
            [
                .string("id") { $0.subscription.id },
                .string("planId") { $0.subscription.planId },
                .nullableString("planName") { $0.plan?.name },
                .string("status") { $0.subscription.status },
                .time("currentPeriodEnd") { $0.subscription.currentPeriodEnd },
                .nullableString("billingInterval") { $0.subscription.billingInterval },
                .strings("features") { $0.plan?.features ?? [] },
            ]
        )
    }

    struct Battery: ResponseModel {
        var battery: User.Battery

        static let shape = ResponseSchema<Self>(
            "Battery",
            [
                .integer("totalBalance") { $0.battery.totalBalance },
                .integer("dailyAllowance") { $0.battery.dailyAllowance },
                .day("lastDailyReset") { $0.battery.lastDailyReset },
            ]
        )
    }

    var user: User
    var plan: Plan?

    static let shape = ResponseSchema<Self>(
        "Profile",
        [
            .string("id") { $0.user.id },
            .string("email") { $0.user.email },
            .nullableString("name") { $0.user.name },
            .nullableString("imageUrl") { $0.user.imageUrl },
            .choice("tier") { $0.user.tier },
            .time("createdAt") { $0.user.createdAt },
            .nullableObject("subscription") { view in
                view.user.subscription.map { Subscription(subscription: $0, plan: view.plan) }
            },
            .nullableObject("battery") { $0.user.battery.map { Battery(battery: $0) } },
        ]
    )
}

/// The response to a change of the profile (section 8.2).
struct ProfileChange: ResponseModel {
    var id: String
    var updatedAt: Timestamp
    var name: String?
    var imageUrl: String?

    static let shape = ResponseSchema<Self>(
        "ProfileChange",
        [
            .string("id") { $0.id },
            .time("updatedAt") { $0.updatedAt },
            .optionalString("name") { $0.name },
            .optionalString("imageUrl") { $0.imageUrl },
        ]
    )
}

/// The usage report (section 8.3).
struct UsageReport: ResponseModel {
    struct Period: ResponseModel {
        var start: Instant
        var end: Instant

        static let shape = ResponseSchema<Self>(
            "UsagePeriod",
            [.time("start") { .at($0.start) }, .time("end") { .at($0.end) }]
        )
    }

    struct Summary: ResponseModel {
        var totalBatteryUsed: Int
        var totalMessages: Int
        var totalConversations: Int
        var totalUserMessages: Int
        var averageDailyUsage: Double

        static let shape = ResponseSchema<Self>(
            "UsageSummary",
            [
                .integer("totalBatteryUsed") { $0.totalBatteryUsed },
                .integer("totalMessages") { $0.totalMessages },
                .integer("totalConversations") { $0.totalConversations },
                .integer("totalUserMessages") { $0.totalUserMessages },
                .number("averageDailyUsage") { $0.averageDailyUsage },
            ]
        )
    }

    struct Day: ResponseModel {
        var usage: UsageDay

        static let shape = ResponseSchema<Self>(
            "UsageDay",
            [
                .day("date") { $0.usage.day },
                .integer("batteryUsed") { $0.usage.batteryUsed },
                .integer("messages") { $0.usage.messages },
                .custom(
                    "models",
                    .object(JSONSchema.Object([], additionalProperties: .schema(.integer())))
                ) { day, writer in
                    writer.json.beginObject()
                    for model in day.usage.models {
                        writer.json.name(model.model)
                        writer.json.integer(Int64(model.count))
                    }
                    writer.json.endObject()
                },
            ]
        )
    }

    struct ModelShare: ResponseModel {
        var model: String
        var messageCount: Int
        var percentage: Double

        static let shape = ResponseSchema<Self>(
            "ModelShare",
            [
                .string("model") { $0.model },
                .integer("messageCount") { $0.messageCount },
                .number("percentage") { $0.percentage },
            ]
        )
    }

    struct Booking: ResponseModel {
        var transaction: Transaction

        static let shape = ResponseSchema<Self>(
            "Transaction",
            [
                .string("id") { $0.transaction.id },
                .choice("type") { $0.transaction.type },
                .integer("amount") { $0.transaction.amount },
                .integer("balanceAfter") { $0.transaction.balanceAfter },
                .nullableString("description") { $0.transaction.description },
                .time("createdAt") { $0.transaction.createdAt },
            ]
        )
    }

    var period: Period
    var summary: Summary
    var dailyUsage: [Day]
    var modelBreakdown: [ModelShare]
    var recentTransactions: [Booking]

    static let shape = ResponseSchema<Self>(
        "UsageReport",
        [
            .object("period") { $0.period },
            .object("summary") { $0.summary },
            .array("dailyUsage") { $0.dailyUsage },
            .array("modelBreakdown") { $0.modelBreakdown },
            .array("recentTransactions") { $0.recentTransactions },
        ]
    )
}

/// A model of the list (section 9.1).
struct ModelResponse: ResponseModel {
    var model: Model

    static let shape = ResponseSchema<Self>(
        "Model",
        [
            .string("id") { $0.model.id },
            .string("name") { $0.model.name },
            .string("provider") { $0.model.provider },
            .integer("contextWindow") { $0.model.contextWindow },
            .integer("maxOutput") { $0.model.maxOutput },
            .boolean("supportsVision") { $0.model.supportsVision },
            .boolean("supportsTools") { $0.model.supportsTools },
            .boolean("supportsWebSearch") { $0.model.supportsWebSearch },
            .optionalBoolean("supportsImageGeneration") { $0.model.supportsImageGeneration == true ? true : nil },
            .optionalString("description") { $0.model.description },
        ]
    )
}

/// The models by provider, in order of first appearance.
struct ModelList: ResponseModel {
    var models: [Model]

    static let shape = ResponseSchema<Self>(
        "ModelList",
        [
            .custom(
                "providers",
                .object(
                    JSONSchema.Object([], additionalProperties: .schema(.array(ModelResponse.shape.schema)))
                )
            ) { list, writer in
                var providers: [String] = []
                for model in list.models where !providers.contains(model.provider) { providers.append(model.provider) }
                writer.json.beginObject()
                for provider in providers {
                    writer.json.name(provider)
                    writer.write(list.models.filter { $0.provider == provider }.map { ModelResponse(model: $0) })
                }
                writer.json.endObject()
            }
        ]
    )
}
