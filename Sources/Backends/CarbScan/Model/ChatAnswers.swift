import Basics

/// The answer to a question: a function of its text (contract, section 9).
///
/// Numbers, never dosing advice.
struct ChatAnswer: Sendable, Equatable {
    enum Kind: String, Codable, CaseIterable, Sendable {
        case carbLookup = "carb_lookup"
        case mealPlanning = "meal_planning"
        case general
    }

    var kind: Kind
    var text: String
    /// The suggested follow-up questions, always three.
    var followUps: [String]

    private struct Staple {
        var name: String
        var grams: Int
        var portion: String
        var followUps: [String]
    }

    private static let staples: [Staple] = [
        Staple(
            name: "banana",
            grams: 27,
            portion: "One medium banana",
            followUps: [
                "How many carbs are in an apple?", "Is a ripe banana sweeter?", "What goes well with a banana?",
            ]
        ),
        Staple(
            name: "apple",
            grams: 25,
            portion: "One medium apple",
            followUps: ["How many carbs are in an orange?", "Does peeling an apple matter?", "What about apple juice?"]
        ),
        Staple(
            name: "orange",
            grams: 15,
            portion: "One medium orange",
            followUps: [
                "How many carbs are in a banana?", "What about orange juice?", "Which fruit has the fewest carbs?",
            ]
        ),
        Staple(
            name: "rice",
            grams: 45,
            portion: "One cup of cooked rice",
            followUps: ["Is brown rice different?", "How many carbs are in pasta?", "How big is one cup?"]
        ),
        Staple(
            name: "bread",
            grams: 15,
            portion: "One slice of bread",
            followUps: ["Is wholegrain bread different?", "How many carbs are in a bagel?", "What about crispbread?"]
        ),
        Staple(
            name: "pasta",
            grams: 43,
            portion: "One cup of cooked pasta",
            followUps: ["How many carbs are in rice?", "Is wholegrain pasta different?", "How big is one cup?"]
        ),
        Staple(
            name: "potato",
            grams: 37,
            portion: "One medium potato",
            followUps: ["What about sweet potato?", "How many carbs are in fries?", "Does cooling a potato matter?"]
        ),
        Staple(
            name: "milk",
            grams: 12,
            portion: "One cup of milk",
            followUps: ["What about oat milk?", "How many carbs are in yogurt?", "Is skimmed milk different?"]
        ),
        Staple(
            name: "oats",
            grams: 27,
            portion: "Half a cup of oats",
            followUps: ["How many carbs are in muesli?", "What about porridge with milk?", "How big is half a cup?"]
        ),
        Staple(
            name: "beans",
            grams: 20,
            portion: "Half a cup of beans",
            followUps: ["How many carbs are in lentils?", "What about green beans?", "Do canned beans differ?"]
        ),
        Staple(
            name: "yogurt",
            grams: 12,
            portion: "One small cup of plain yogurt",
            followUps: ["What about fruit yogurt?", "How many carbs are in milk?", "Is Greek yogurt different?"]
        ),
        Staple(
            name: "chocolate",
            grams: 17,
            portion: "A row of milk chocolate, about 30 g,",
            followUps: ["What about dark chocolate?", "How many carbs are in a cookie?", "How big is one portion?"]
        ),
    ]

    private static let planningWords = ["meal", "plan", "breakfast", "lunch", "dinner", "snack", "recipe"]

    init(to message: String) {
        let text = message.lowercased()
        /// The longest candidate that occurs; among equally long ones the first in the list.
        func longest<Candidate>(_ candidates: [Candidate], _ name: (Candidate) -> String) -> Candidate? {
            var best: Candidate?
            for candidate in candidates where text.contains(name(candidate)) {
                if best.map({ name($0).count < name(candidate).count }) ?? true { best = candidate }
            }
            return best
        }
        if let staple = longest(Self.staples, \.name) {
            self.init(
                .carbLookup,
                "\(staple.portion) has about \(staple.grams) g of carbohydrates.",
                staple.followUps
            )
        } else if let dish = longest(Dish.all, { $0.name.lowercased() }) {
            self.init(
                .carbLookup,
                "\(dish.name) has about \(dish.grams) g of carbohydrates per portion.",
                ["How big is one portion?", "What is a lighter side dish?", "Which dish has fewer carbs?"]
            )
        } else if text.contains("carb") {
            self.init(
                .carbLookup,
                "Most carbohydrates come from grains, starchy vegetables, fruit, milk and sweets. Name a food and I "
                    + "will tell you its grams.",
                ["How many carbs are in rice?", "How many carbs are in bread?", "How many carbs are in a banana?"]
            )
        } else if Self.planningWords.contains(where: { text.contains($0) }) {
            self.init(
                .mealPlanning,
                "A balanced plate is half vegetables, a quarter protein and a quarter starch, which is about 40 to "
                    + "60 g of carbohydrates.",
                ["What is a breakfast with 30 g of carbs?", "What is a quick dinner?", "Which snacks have few carbs?"]
            )
        } else {
            self.init(
                .general,
                "I can look up the carbohydrates of foods and help you to plan meals. For questions about treatment "
                    + "please ask your care team.",
                ["How many carbs are in pasta?", "Can you plan a dinner?", "What has few carbs?"]
            )
        }
    }

    private init(_ kind: Kind, _ text: String, _ followUps: [String]) {
        self.kind = kind
        self.text = text
        self.followUps = followUps
    }
}
