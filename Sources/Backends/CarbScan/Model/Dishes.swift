/// A dish of the catalogue (contract, section 8).
struct Dish: Sendable, Equatable {
    var name: String
    /// Grams of carbohydrate in a portion.
    var grams: Int

    /// Dish 1 is first: breakfast 1 to 14, lunch 15 to 29, dinner 30 to 45.
    static let all: [Dish] = [
        ("Breakfast toast", 30), ("Oatmeal with blueberries", 38), ("Greek yogurt with berries", 18),
        ("Scrambled eggs with one slice of toast", 16), ("Porridge with banana", 48),
        ("Wholegrain muesli with milk", 42), ("Avocado toast", 27), ("Cheese omelette with tomatoes", 14),
        ("Cottage cheese with pineapple", 21), ("Two pancakes with maple syrup", 58), ("Bagel with cream cheese", 52),
        ("Boiled eggs with crispbread", 19), ("Smoothie bowl", 44), ("Rye bread with ham", 26),
        ("Chicken salad with rice", 45), ("Lunch sandwich", 55), ("Grilled chicken salad", 12),
        ("Lentil soup with bread", 46), ("Tuna wrap", 34), ("Caesar salad with croutons", 17),
        ("Sushi set, eight pieces", 62), ("Vegetable soup", 22), ("Quinoa bowl with feta", 41),
        ("Turkey sandwich", 37), ("Baked potato with cottage cheese", 50), ("Falafel plate with hummus", 39),
        ("Tomato mozzarella salad", 14), ("Chickpea curry bowl", 47), ("Shrimp salad with corn", 24),
        ("Pasta with bread", 85), ("Salmon with green beans", 15), ("Chicken stir-fry with rice", 52),
        ("Beef stew with carrots", 28), ("Vegetable lasagne", 43), ("Pizza, two slices", 64),
        ("Steak with side salad", 13), ("Chicken with sweet potato", 36), ("Chili con carne", 31),
        ("Cod with mashed potatoes", 33), ("Spaghetti bolognese", 68), ("Tofu with noodles", 56),
        ("Cauliflower curry", 20), ("Burger without bun, side salad", 16), ("Burrito bowl", 57),
        ("Roast chicken with vegetables", 25),
    ].map { Dish(name: $0.0, grams: $0.1) }
}
