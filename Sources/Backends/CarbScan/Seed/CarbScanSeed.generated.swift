// Made by scripts/embed-seeds from seeds/carbscan; do not edit.
// swift-format-ignore-file

extension CarbScanAPI {
    /// The name and the text of each file, in the order of the names.
    package static let builtInSeed: [(name: String, text: String)] = [
        (
            "chat-messages.json",
            ####"""
[
  {"id": 1, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in banana?", "createdAt": "D0-P8DT15H"},
  {"id": 2, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in rice?", "createdAt": "D0-P7DT15H"},
  {"id": 3, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in apple?", "createdAt": "D0-P6DT15H"},
  {"id": 4, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in bread?", "createdAt": "D0-P5DT15H"},
  {"id": 5, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in pasta?", "createdAt": "D0-P4DT15H"},
  {"id": 6, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in potato?", "createdAt": "D0-P3DT15H"},
  {"id": 7, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in milk?", "createdAt": "D0-P2DT15H"},
  {"id": 8, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in oats?", "createdAt": "D0-P1DT15H"},
  {"id": 9, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in beans?", "createdAt": "D0-PT15H"},
  {"id": 10, "userId": "000102.000000000000000000000000e55e0002.0102", "message": "How many carbs are in orange?", "createdAt": "D0+PT9H"}
]

"""####
        ),
        (
            "meals.json",
            ####"""
[
  {"id": 1, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Roast chicken with vegetables", "carbEstimate": 25, "confidence": 71, "createdAt": "D0-P88DT5H3M"},
  {"id": 2, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chili con carne", "carbEstimate": 31, "confidence": 86, "createdAt": "D0-P87DT5H6M"},
  {"id": 3, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Salmon with green beans", "carbEstimate": 15, "confidence": 65, "createdAt": "D0-P86DT5H9M"},
  {"id": 4, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Spaghetti bolognese", "carbEstimate": 68, "confidence": 80, "createdAt": "D0-P85DT5H12M"},
  {"id": 5, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Beef stew with carrots", "carbEstimate": 28, "confidence": 95, "createdAt": "D0-P84DT5H15M"},
  {"id": 6, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 74, "createdAt": "D0-P83DT5H3M"},
  {"id": 7, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 89, "createdAt": "D0-P82DT5H6M"},
  {"id": 8, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 68, "createdAt": "D0-P81DT5H9M"},
  {"id": 9, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken with sweet potato", "carbEstimate": 36, "confidence": 83, "createdAt": "D0-P80DT5H12M"},
  {"id": 10, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pasta with bread", "carbEstimate": 85, "confidence": 62, "createdAt": "D0-P79DT5H15M"},
  {"id": 11, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cod with mashed potatoes", "carbEstimate": 33, "confidence": 77, "createdAt": "D0-P78DT5H3M"},
  {"id": 12, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 92, "createdAt": "D0-P77DT5H6M"},
  {"id": 13, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tofu with noodles", "carbEstimate": 56, "confidence": 71, "createdAt": "D0-P76DT5H9M"},
  {"id": 14, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Vegetable lasagne", "carbEstimate": 43, "confidence": 86, "createdAt": "D0-P75DT5H12M"},
  {"id": 15, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 65, "createdAt": "D0-P74DT5H15M"},
  {"id": 16, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Steak with side salad", "carbEstimate": 13, "confidence": 80, "createdAt": "D0-P73DT5H3M"},
  {"id": 17, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Roast chicken with vegetables", "carbEstimate": 25, "confidence": 95, "createdAt": "D0-P72DT5H6M"},
  {"id": 18, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chili con carne", "carbEstimate": 31, "confidence": 74, "createdAt": "D0-P71DT5H9M"},
  {"id": 19, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Salmon with green beans", "carbEstimate": 15, "confidence": 89, "createdAt": "D0-P70DT5H12M"},
  {"id": 20, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Spaghetti bolognese", "carbEstimate": 68, "confidence": 68, "createdAt": "D0-P69DT5H15M"},
  {"id": 21, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Beef stew with carrots", "carbEstimate": 28, "confidence": 83, "createdAt": "D0-P68DT5H3M"},
  {"id": 22, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 62, "createdAt": "D0-P67DT5H6M"},
  {"id": 23, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 77, "createdAt": "D0-P66DT5H9M"},
  {"id": 24, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 92, "createdAt": "D0-P65DT5H12M"},
  {"id": 25, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken with sweet potato", "carbEstimate": 36, "confidence": 71, "createdAt": "D0-P64DT5H15M"},
  {"id": 26, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pasta with bread", "carbEstimate": 85, "confidence": 86, "createdAt": "D0-P63DT5H3M"},
  {"id": 27, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cod with mashed potatoes", "carbEstimate": 33, "confidence": 65, "createdAt": "D0-P62DT5H6M"},
  {"id": 28, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 80, "createdAt": "D0-P61DT5H9M"},
  {"id": 29, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tofu with noodles", "carbEstimate": 56, "confidence": 95, "createdAt": "D0-P60DT5H12M"},
  {"id": 30, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Vegetable lasagne", "carbEstimate": 43, "confidence": 74, "createdAt": "D0-P59DT5H15M"},
  {"id": 31, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 89, "createdAt": "D0-P58DT5H3M"},
  {"id": 32, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Steak with side salad", "carbEstimate": 13, "confidence": 68, "createdAt": "D0-P57DT5H6M"},
  {"id": 33, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Roast chicken with vegetables", "carbEstimate": 25, "confidence": 83, "createdAt": "D0-P56DT5H9M"},
  {"id": 34, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chili con carne", "carbEstimate": 31, "confidence": 62, "createdAt": "D0-P55DT5H12M"},
  {"id": 35, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Salmon with green beans", "carbEstimate": 15, "confidence": 77, "createdAt": "D0-P54DT5H15M"},
  {"id": 36, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Spaghetti bolognese", "carbEstimate": 68, "confidence": 92, "createdAt": "D0-P53DT5H3M"},
  {"id": 37, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Beef stew with carrots", "carbEstimate": 28, "confidence": 71, "createdAt": "D0-P52DT5H6M"},
  {"id": 38, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 86, "createdAt": "D0-P51DT5H9M"},
  {"id": 39, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 65, "createdAt": "D0-P50DT5H12M"},
  {"id": 40, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 80, "createdAt": "D0-P49DT5H15M"},
  {"id": 41, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken with sweet potato", "carbEstimate": 36, "confidence": 95, "createdAt": "D0-P48DT5H3M"},
  {"id": 42, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pasta with bread", "carbEstimate": 85, "confidence": 74, "createdAt": "D0-P47DT5H6M"},
  {"id": 43, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cod with mashed potatoes", "carbEstimate": 33, "confidence": 89, "createdAt": "D0-P46DT5H9M"},
  {"id": 44, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 68, "createdAt": "D0-P45DT5H12M"},
  {"id": 45, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tofu with noodles", "carbEstimate": 56, "confidence": 83, "createdAt": "D0-P44DT5H15M"},
  {"id": 46, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Vegetable lasagne", "carbEstimate": 43, "confidence": 62, "createdAt": "D0-P43DT5H3M"},
  {"id": 47, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 77, "createdAt": "D0-P42DT5H6M"},
  {"id": 48, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Steak with side salad", "carbEstimate": 13, "confidence": 92, "createdAt": "D0-P41DT5H9M"},
  {"id": 49, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Roast chicken with vegetables", "carbEstimate": 25, "confidence": 71, "createdAt": "D0-P40DT5H12M"},
  {"id": 50, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chili con carne", "carbEstimate": 31, "confidence": 86, "createdAt": "D0-P39DT5H15M"},
  {"id": 51, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Salmon with green beans", "carbEstimate": 15, "confidence": 65, "createdAt": "D0-P38DT5H3M"},
  {"id": 52, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Spaghetti bolognese", "carbEstimate": 68, "confidence": 80, "createdAt": "D0-P37DT5H6M"},
  {"id": 53, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Beef stew with carrots", "carbEstimate": 28, "confidence": 95, "createdAt": "D0-P36DT5H9M"},
  {"id": 54, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 74, "createdAt": "D0-P35DT5H12M"},
  {"id": 55, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 89, "createdAt": "D0-P34DT5H15M"},
  {"id": 56, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 68, "createdAt": "D0-P33DT5H3M"},
  {"id": 57, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken with sweet potato", "carbEstimate": 36, "confidence": 83, "createdAt": "D0-P32DT5H6M"},
  {"id": 58, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pasta with bread", "carbEstimate": 85, "confidence": 62, "createdAt": "D0-P31DT5H9M"},
  {"id": 59, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cod with mashed potatoes", "carbEstimate": 33, "confidence": 77, "createdAt": "D0-P30DT5H12M"},
  {"id": 60, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 92, "createdAt": "D0-P29DT5H15M"},
  {"id": 61, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Porridge with banana", "carbEstimate": 48, "confidence": 93, "createdAt": "D0-P28DT16H18M"},
  {"id": 62, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cottage cheese with pineapple", "carbEstimate": 21, "confidence": 93, "createdAt": "D0-P28DT16H18M"},
  {"id": 63, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Tuna wrap", "carbEstimate": 34, "confidence": 64, "createdAt": "D0-P28DT11H33M"},
  {"id": 64, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Lentil soup with bread", "carbEstimate": 46, "confidence": 64, "createdAt": "D0-P28DT11H33M"},
  {"id": 65, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 71, "createdAt": "D0-P28DT5H3M"},
  {"id": 66, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 71, "createdAt": "D0-P28DT5H3M"},
  {"id": 67, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 72, "createdAt": "D0-P27DT16H21M"},
  {"id": 68, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Porridge with banana", "carbEstimate": 48, "confidence": 72, "createdAt": "D0-P27DT16H21M"},
  {"id": 69, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Falafel plate with hummus", "carbEstimate": 39, "confidence": 79, "createdAt": "D0-P27DT11H36M"},
  {"id": 70, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tomato mozzarella salad", "carbEstimate": 14, "confidence": 79, "createdAt": "D0-P27DT11H36M"},
  {"id": 71, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 86, "createdAt": "D0-P27DT5H6M"},
  {"id": 72, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Salmon with green beans", "carbEstimate": 15, "confidence": 86, "createdAt": "D0-P27DT5H6M"},
  {"id": 73, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cheese omelette with tomatoes", "carbEstimate": 14, "confidence": 87, "createdAt": "D0-P26DT16H24M"},
  {"id": 74, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Smoothie bowl", "carbEstimate": 44, "confidence": 87, "createdAt": "D0-P26DT16H24M"},
  {"id": 75, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Turkey sandwich", "carbEstimate": 37, "confidence": 94, "createdAt": "D0-P26DT11H39M"},
  {"id": 76, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Grilled chicken salad", "carbEstimate": 12, "confidence": 94, "createdAt": "D0-P26DT11H39M"},
  {"id": 77, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 65, "createdAt": "D0-P26DT5H9M"},
  {"id": 78, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 65, "createdAt": "D0-P26DT5H9M"},
  {"id": 79, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Smoothie bowl", "carbEstimate": 44, "confidence": 66, "createdAt": "D0-P25DT16H27M"},
  {"id": 80, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Greek yogurt with berries", "carbEstimate": 18, "confidence": 66, "createdAt": "D0-P25DT16H27M"},
  {"id": 81, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Quinoa bowl with feta", "carbEstimate": 41, "confidence": 73, "createdAt": "D0-P25DT11H42M"},
  {"id": 82, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Vegetable soup", "carbEstimate": 22, "confidence": 73, "createdAt": "D0-P25DT11H42M"},
  {"id": 83, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 80, "createdAt": "D0-P25DT5H12M"},
  {"id": 84, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 80, "createdAt": "D0-P25DT5H12M"},
  {"id": 85, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Boiled eggs with crispbread", "carbEstimate": 19, "confidence": 81, "createdAt": "D0-P24DT16H30M"},
  {"id": 86, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Bagel with cream cheese", "carbEstimate": 52, "confidence": 81, "createdAt": "D0-P24DT16H30M"},
  {"id": 87, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Tomato mozzarella salad", "carbEstimate": 14, "confidence": 88, "createdAt": "D0-P24DT11H45M"},
  {"id": 88, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chickpea curry bowl", "carbEstimate": 47, "confidence": 88, "createdAt": "D0-P24DT11H45M"},
  {"id": 89, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cod with mashed potatoes", "carbEstimate": 33, "confidence": 95, "createdAt": "D0-P24DT5H15M"},
  {"id": 90, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pasta with bread", "carbEstimate": 85, "confidence": 95, "createdAt": "D0-P24DT5H15M"},
  {"id": 91, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cheese omelette with tomatoes", "carbEstimate": 14, "confidence": 60, "createdAt": "D0-P23DT16H18M"},
  {"id": 92, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Wholegrain muesli with milk", "carbEstimate": 42, "confidence": 60, "createdAt": "D0-P23DT16H18M"},
  {"id": 93, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Tuna wrap", "carbEstimate": 34, "confidence": 67, "createdAt": "D0-P23DT11H33M"},
  {"id": 94, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Lunch sandwich", "carbEstimate": 55, "confidence": 67, "createdAt": "D0-P23DT11H33M"},
  {"id": 95, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Steak with side salad", "carbEstimate": 13, "confidence": 74, "createdAt": "D0-P23DT5H3M"},
  {"id": 96, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 74, "createdAt": "D0-P23DT5H3M"},
  {"id": 97, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 75, "createdAt": "D0-P22DT16H21M"},
  {"id": 98, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 75, "createdAt": "D0-P22DT16H21M"},
  {"id": 99, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Caesar salad with croutons", "carbEstimate": 17, "confidence": 82, "createdAt": "D0-P22DT11H36M"},
  {"id": 100, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chickpea curry bowl", "carbEstimate": 47, "confidence": 82, "createdAt": "D0-P22DT11H36M"},
  {"id": 101, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cod with mashed potatoes", "carbEstimate": 33, "confidence": 89, "createdAt": "D0-P22DT5H6M"},
  {"id": 102, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Vegetable lasagne", "carbEstimate": 43, "confidence": 89, "createdAt": "D0-P22DT5H6M"},
  {"id": 103, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Rye bread with ham", "carbEstimate": 26, "confidence": 90, "createdAt": "D0-P21DT16H24M"},
  {"id": 104, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Porridge with banana", "carbEstimate": 48, "confidence": 90, "createdAt": "D0-P21DT16H24M"},
  {"id": 105, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Tomato mozzarella salad", "carbEstimate": 14, "confidence": 61, "createdAt": "D0-P21DT11H39M"},
  {"id": 106, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tuna wrap", "carbEstimate": 34, "confidence": 61, "createdAt": "D0-P21DT11H39M"},
  {"id": 107, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 68, "createdAt": "D0-P21DT5H9M"},
  {"id": 108, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 68, "createdAt": "D0-P21DT5H9M"},
  {"id": 109, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Bagel with cream cheese", "carbEstimate": 52, "confidence": 69, "createdAt": "D0-P20DT16H27M"},
  {"id": 110, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 69, "createdAt": "D0-P20DT16H27M"},
  {"id": 111, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Tuna wrap", "carbEstimate": 34, "confidence": 76, "createdAt": "D0-P20DT11H42M"},
  {"id": 112, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Falafel plate with hummus", "carbEstimate": 39, "confidence": 76, "createdAt": "D0-P20DT11H42M"},
  {"id": 113, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Spaghetti bolognese", "carbEstimate": 68, "confidence": 83, "createdAt": "D0-P20DT5H12M"},
  {"id": 114, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 83, "createdAt": "D0-P20DT5H12M"},
  {"id": 115, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Oatmeal with blueberries", "carbEstimate": 38, "confidence": 84, "createdAt": "D0-P19DT16H30M"},
  {"id": 116, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cheese omelette with tomatoes", "carbEstimate": 14, "confidence": 84, "createdAt": "D0-P19DT16H30M"},
  {"id": 117, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Chicken salad with rice", "carbEstimate": 45, "confidence": 91, "createdAt": "D0-P19DT11H45M"},
  {"id": 118, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Turkey sandwich", "carbEstimate": 37, "confidence": 91, "createdAt": "D0-P19DT11H45M"},
  {"id": 119, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Salmon with green beans", "carbEstimate": 15, "confidence": 62, "createdAt": "D0-P19DT5H15M"},
  {"id": 120, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 62, "createdAt": "D0-P19DT5H15M"},
  {"id": 121, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Bagel with cream cheese", "carbEstimate": 52, "confidence": 63, "createdAt": "D0-P18DT16H18M"},
  {"id": 122, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Smoothie bowl", "carbEstimate": 44, "confidence": 63, "createdAt": "D0-P18DT16H18M"},
  {"id": 123, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Quinoa bowl with feta", "carbEstimate": 41, "confidence": 70, "createdAt": "D0-P18DT11H33M"},
  {"id": 124, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Quinoa bowl with feta", "carbEstimate": 41, "confidence": 70, "createdAt": "D0-P18DT11H33M"},
  {"id": 125, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Vegetable lasagne", "carbEstimate": 43, "confidence": 77, "createdAt": "D0-P18DT5H3M"},
  {"id": 126, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 77, "createdAt": "D0-P18DT5H3M"},
  {"id": 127, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Porridge with banana", "carbEstimate": 48, "confidence": 78, "createdAt": "D0-P17DT16H21M"},
  {"id": 128, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Boiled eggs with crispbread", "carbEstimate": 19, "confidence": 78, "createdAt": "D0-P17DT16H21M"},
  {"id": 129, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Sushi set, eight pieces", "carbEstimate": 62, "confidence": 85, "createdAt": "D0-P17DT11H36M"},
  {"id": 130, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tomato mozzarella salad", "carbEstimate": 14, "confidence": 85, "createdAt": "D0-P17DT11H36M"},
  {"id": 131, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Steak with side salad", "carbEstimate": 13, "confidence": 92, "createdAt": "D0-P17DT5H6M"},
  {"id": 132, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cod with mashed potatoes", "carbEstimate": 33, "confidence": 92, "createdAt": "D0-P17DT5H6M"},
  {"id": 133, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Greek yogurt with berries", "carbEstimate": 18, "confidence": 93, "createdAt": "D0-P16DT16H24M"},
  {"id": 134, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cheese omelette with tomatoes", "carbEstimate": 14, "confidence": 93, "createdAt": "D0-P16DT16H24M"},
  {"id": 135, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Tuna wrap", "carbEstimate": 34, "confidence": 64, "createdAt": "D0-P16DT11H39M"},
  {"id": 136, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tuna wrap", "carbEstimate": 34, "confidence": 64, "createdAt": "D0-P16DT11H39M"},
  {"id": 137, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 71, "createdAt": "D0-P16DT5H9M"},
  {"id": 138, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Steak with side salad", "carbEstimate": 13, "confidence": 71, "createdAt": "D0-P16DT5H9M"},
  {"id": 139, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 72, "createdAt": "D0-P15DT16H27M"},
  {"id": 140, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 72, "createdAt": "D0-P15DT16H27M"},
  {"id": 141, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Sushi set, eight pieces", "carbEstimate": 62, "confidence": 79, "createdAt": "D0-P15DT11H42M"},
  {"id": 142, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Caesar salad with croutons", "carbEstimate": 17, "confidence": 79, "createdAt": "D0-P15DT11H42M"},
  {"id": 143, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Chili con carne", "carbEstimate": 31, "confidence": 86, "createdAt": "D0-P15DT5H12M"},
  {"id": 144, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cod with mashed potatoes", "carbEstimate": 33, "confidence": 86, "createdAt": "D0-P15DT5H12M"},
  {"id": 145, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cottage cheese with pineapple", "carbEstimate": 21, "confidence": 87, "createdAt": "D0-P14DT16H30M"},
  {"id": 146, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Rye bread with ham", "carbEstimate": 26, "confidence": 87, "createdAt": "D0-P14DT16H30M"},
  {"id": 147, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Shrimp salad with corn", "carbEstimate": 24, "confidence": 94, "createdAt": "D0-P14DT11H45M"},
  {"id": 148, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tomato mozzarella salad", "carbEstimate": 14, "confidence": 94, "createdAt": "D0-P14DT11H45M"},
  {"id": 149, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 65, "createdAt": "D0-P14DT5H15M"},
  {"id": 150, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 65, "createdAt": "D0-P14DT5H15M"},
  {"id": 151, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Porridge with banana", "carbEstimate": 48, "confidence": 66, "createdAt": "D0-P13DT16H18M"},
  {"id": 152, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Bagel with cream cheese", "carbEstimate": 52, "confidence": 66, "createdAt": "D0-P13DT16H18M"},
  {"id": 153, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Caesar salad with croutons", "carbEstimate": 17, "confidence": 73, "createdAt": "D0-P13DT11H33M"},
  {"id": 154, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tuna wrap", "carbEstimate": 34, "confidence": 73, "createdAt": "D0-P13DT11H33M"},
  {"id": 155, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 80, "createdAt": "D0-P13DT5H3M"},
  {"id": 156, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Spaghetti bolognese", "carbEstimate": 68, "confidence": 80, "createdAt": "D0-P13DT5H3M"},
  {"id": 157, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Bagel with cream cheese", "carbEstimate": 52, "confidence": 81, "createdAt": "D0-P12DT16H21M"},
  {"id": 158, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Oatmeal with blueberries", "carbEstimate": 38, "confidence": 81, "createdAt": "D0-P12DT16H21M"},
  {"id": 159, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Lunch sandwich", "carbEstimate": 55, "confidence": 88, "createdAt": "D0-P12DT11H36M"},
  {"id": 160, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken salad with rice", "carbEstimate": 45, "confidence": 88, "createdAt": "D0-P12DT11H36M"},
  {"id": 161, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 95, "createdAt": "D0-P12DT5H6M"},
  {"id": 162, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Salmon with green beans", "carbEstimate": 15, "confidence": 95, "createdAt": "D0-P12DT5H6M"},
  {"id": 163, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Two pancakes with maple syrup", "carbEstimate": 58, "confidence": 60, "createdAt": "D0-P11DT16H24M"},
  {"id": 164, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Bagel with cream cheese", "carbEstimate": 52, "confidence": 60, "createdAt": "D0-P11DT16H24M"},
  {"id": 165, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Falafel plate with hummus", "carbEstimate": 39, "confidence": 67, "createdAt": "D0-P11DT11H39M"},
  {"id": 166, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Quinoa bowl with feta", "carbEstimate": 41, "confidence": 67, "createdAt": "D0-P11DT11H39M"},
  {"id": 167, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 74, "createdAt": "D0-P11DT5H9M"},
  {"id": 168, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Vegetable lasagne", "carbEstimate": 43, "confidence": 74, "createdAt": "D0-P11DT5H9M"},
  {"id": 169, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Greek yogurt with berries", "carbEstimate": 18, "confidence": 75, "createdAt": "D0-P10DT16H27M"},
  {"id": 170, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Porridge with banana", "carbEstimate": 48, "confidence": 75, "createdAt": "D0-P10DT16H27M"},
  {"id": 171, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Shrimp salad with corn", "carbEstimate": 24, "confidence": 82, "createdAt": "D0-P10DT11H42M"},
  {"id": 172, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Sushi set, eight pieces", "carbEstimate": 62, "confidence": 82, "createdAt": "D0-P10DT11H42M"},
  {"id": 173, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 89, "createdAt": "D0-P10DT5H12M"},
  {"id": 174, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Steak with side salad", "carbEstimate": 13, "confidence": 89, "createdAt": "D0-P10DT5H12M"},
  {"id": 175, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Rye bread with ham", "carbEstimate": 26, "confidence": 90, "createdAt": "D0-P9DT16H30M"},
  {"id": 176, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Greek yogurt with berries", "carbEstimate": 18, "confidence": 90, "createdAt": "D0-P9DT16H30M"},
  {"id": 177, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Falafel plate with hummus", "carbEstimate": 39, "confidence": 61, "createdAt": "D0-P9DT11H45M"},
  {"id": 178, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Tuna wrap", "carbEstimate": 34, "confidence": 61, "createdAt": "D0-P9DT11H45M"},
  {"id": 179, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Beef stew with carrots", "carbEstimate": 28, "confidence": 68, "createdAt": "D0-P9DT5H15M"},
  {"id": 180, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 68, "createdAt": "D0-P9DT5H15M"},
  {"id": 181, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 69, "createdAt": "D0-P8DT16H18M"},
  {"id": 182, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 69, "createdAt": "D0-P8DT16H18M"},
  {"id": 183, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Sushi set, eight pieces", "carbEstimate": 62, "confidence": 76, "createdAt": "D0-P8DT11H33M"},
  {"id": 184, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Sushi set, eight pieces", "carbEstimate": 62, "confidence": 76, "createdAt": "D0-P8DT11H33M"},
  {"id": 185, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 83, "createdAt": "D0-P8DT5H3M"},
  {"id": 186, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chili con carne", "carbEstimate": 31, "confidence": 83, "createdAt": "D0-P8DT5H3M"},
  {"id": 187, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Greek yogurt with berries", "carbEstimate": 18, "confidence": 84, "createdAt": "D0-P7DT16H21M"},
  {"id": 188, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cottage cheese with pineapple", "carbEstimate": 21, "confidence": 84, "createdAt": "D0-P7DT16H21M"},
  {"id": 189, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Lentil soup with bread", "carbEstimate": 46, "confidence": 91, "createdAt": "D0-P7DT11H36M"},
  {"id": 190, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Shrimp salad with corn", "carbEstimate": 24, "confidence": 91, "createdAt": "D0-P7DT11H36M"},
  {"id": 191, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Lentil soup with bread", "carbEstimate": 46, "confidence": 91, "createdAt": "D0-P7DT11H36M"},
  {"id": 192, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 62, "createdAt": "D0-P7DT5H6M"},
  {"id": 193, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 62, "createdAt": "D0-P7DT5H6M"},
  {"id": 194, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 62, "createdAt": "D0-P7DT5H6M"},
  {"id": 195, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Smoothie bowl", "carbEstimate": 44, "confidence": 63, "createdAt": "D0-P6DT16H24M"},
  {"id": 196, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Porridge with banana", "carbEstimate": 48, "confidence": 63, "createdAt": "D0-P6DT16H24M"},
  {"id": 197, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Turkey sandwich", "carbEstimate": 37, "confidence": 70, "createdAt": "D0-P6DT11H39M"},
  {"id": 198, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Caesar salad with croutons", "carbEstimate": 17, "confidence": 70, "createdAt": "D0-P6DT11H39M"},
  {"id": 199, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Turkey sandwich", "carbEstimate": 37, "confidence": 70, "createdAt": "D0-P6DT11H39M"},
  {"id": 200, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Chili con carne", "carbEstimate": 31, "confidence": 77, "createdAt": "D0-P6DT5H9M"},
  {"id": 201, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 77, "createdAt": "D0-P6DT5H9M"},
  {"id": 202, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Chili con carne", "carbEstimate": 31, "confidence": 77, "createdAt": "D0-P6DT5H9M"},
  {"id": 203, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cottage cheese with pineapple", "carbEstimate": 21, "confidence": 78, "createdAt": "D0-P5DT16H27M"},
  {"id": 204, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Bagel with cream cheese", "carbEstimate": 52, "confidence": 78, "createdAt": "D0-P5DT16H27M"},
  {"id": 205, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Lentil soup with bread", "carbEstimate": 46, "confidence": 85, "createdAt": "D0-P5DT11H42M"},
  {"id": 206, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Lunch sandwich", "carbEstimate": 55, "confidence": 85, "createdAt": "D0-P5DT11H42M"},
  {"id": 207, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Lentil soup with bread", "carbEstimate": 46, "confidence": 85, "createdAt": "D0-P5DT11H42M"},
  {"id": 208, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 92, "createdAt": "D0-P5DT5H12M"},
  {"id": 209, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Pizza, two slices", "carbEstimate": 64, "confidence": 92, "createdAt": "D0-P5DT5H12M"},
  {"id": 210, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 92, "createdAt": "D0-P5DT5H12M"},
  {"id": 211, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Porridge with banana", "carbEstimate": 48, "confidence": 93, "createdAt": "D0-P4DT16H30M"},
  {"id": 212, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Two pancakes with maple syrup", "carbEstimate": 58, "confidence": 93, "createdAt": "D0-P4DT16H30M"},
  {"id": 213, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Tomato mozzarella salad", "carbEstimate": 14, "confidence": 64, "createdAt": "D0-P4DT11H45M"},
  {"id": 214, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Falafel plate with hummus", "carbEstimate": 39, "confidence": 64, "createdAt": "D0-P4DT11H45M"},
  {"id": 215, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Tomato mozzarella salad", "carbEstimate": 14, "confidence": 64, "createdAt": "D0-P4DT11H45M"},
  {"id": 216, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Salmon with green beans", "carbEstimate": 15, "confidence": 71, "createdAt": "D0-P4DT5H15M"},
  {"id": 217, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 71, "createdAt": "D0-P4DT5H15M"},
  {"id": 218, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Salmon with green beans", "carbEstimate": 15, "confidence": 71, "createdAt": "D0-P4DT5H15M"},
  {"id": 219, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Smoothie bowl", "carbEstimate": 44, "confidence": 72, "createdAt": "D0-P3DT16H18M"},
  {"id": 220, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Greek yogurt with berries", "carbEstimate": 18, "confidence": 72, "createdAt": "D0-P3DT16H18M"},
  {"id": 221, "userId": "web-1001", "name": "Smoothie bowl", "carbEstimate": 44, "confidence": 72, "createdAt": "D0-P3DT16H18M"},
  {"id": 222, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Grilled chicken salad", "carbEstimate": 12, "confidence": 79, "createdAt": "D0-P3DT11H33M"},
  {"id": 223, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Shrimp salad with corn", "carbEstimate": 24, "confidence": 79, "createdAt": "D0-P3DT11H33M"},
  {"id": 224, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Grilled chicken salad", "carbEstimate": 12, "confidence": 79, "createdAt": "D0-P3DT11H33M"},
  {"id": 225, "userId": "web-1001", "name": "Grilled chicken salad", "carbEstimate": 12, "confidence": 79, "createdAt": "D0-P3DT11H33M"},
  {"id": 226, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 86, "createdAt": "D0-P3DT5H3M"},
  {"id": 227, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 86, "createdAt": "D0-P3DT5H3M"},
  {"id": 228, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 86, "createdAt": "D0-P3DT5H3M"},
  {"id": 229, "userId": "web-1001", "name": "Burger without bun, side salad", "carbEstimate": 16, "confidence": 86, "createdAt": "D0-P3DT5H3M"},
  {"id": 230, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Greek yogurt with berries", "carbEstimate": 18, "confidence": 87, "createdAt": "D0-P2DT16H21M"},
  {"id": 231, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Rye bread with ham", "carbEstimate": 26, "confidence": 87, "createdAt": "D0-P2DT16H21M"},
  {"id": 232, "userId": "web-1001", "name": "Greek yogurt with berries", "carbEstimate": 18, "confidence": 87, "createdAt": "D0-P2DT16H21M"},
  {"id": 233, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Vegetable soup", "carbEstimate": 22, "confidence": 94, "createdAt": "D0-P2DT11H36M"},
  {"id": 234, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Falafel plate with hummus", "carbEstimate": 39, "confidence": 94, "createdAt": "D0-P2DT11H36M"},
  {"id": 235, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Vegetable soup", "carbEstimate": 22, "confidence": 94, "createdAt": "D0-P2DT11H36M"},
  {"id": 236, "userId": "web-1001", "name": "Vegetable soup", "carbEstimate": 22, "confidence": 94, "createdAt": "D0-P2DT11H36M"},
  {"id": 237, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 65, "createdAt": "D0-P2DT5H6M"},
  {"id": 238, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Beef stew with carrots", "carbEstimate": 28, "confidence": 65, "createdAt": "D0-P2DT5H6M"},
  {"id": 239, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 65, "createdAt": "D0-P2DT5H6M"},
  {"id": 240, "userId": "web-1001", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 65, "createdAt": "D0-P2DT5H6M"},
  {"id": 241, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Bagel with cream cheese", "carbEstimate": 52, "confidence": 66, "createdAt": "D0-P1DT16H24M"},
  {"id": 242, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 66, "createdAt": "D0-P1DT16H24M"},
  {"id": 243, "userId": "web-1001", "name": "Bagel with cream cheese", "carbEstimate": 52, "confidence": 66, "createdAt": "D0-P1DT16H24M"},
  {"id": 244, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Chickpea curry bowl", "carbEstimate": 47, "confidence": 73, "createdAt": "D0-P1DT11H39M"},
  {"id": 245, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Sushi set, eight pieces", "carbEstimate": 62, "confidence": 73, "createdAt": "D0-P1DT11H39M"},
  {"id": 246, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Chickpea curry bowl", "carbEstimate": 47, "confidence": 73, "createdAt": "D0-P1DT11H39M"},
  {"id": 247, "userId": "web-1001", "name": "Chickpea curry bowl", "carbEstimate": 47, "confidence": 73, "createdAt": "D0-P1DT11H39M"},
  {"id": 248, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Pasta with bread", "carbEstimate": 85, "confidence": 80, "createdAt": "D0-P1DT5H9M"},
  {"id": 249, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Cauliflower curry", "carbEstimate": 20, "confidence": 80, "createdAt": "D0-P1DT5H9M"},
  {"id": 250, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Pasta with bread", "carbEstimate": 85, "confidence": 80, "createdAt": "D0-P1DT5H9M"},
  {"id": 251, "userId": "web-1001", "name": "Pasta with bread", "carbEstimate": 85, "confidence": 80, "createdAt": "D0-P1DT5H9M"},
  {"id": 252, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Wholegrain muesli with milk", "carbEstimate": 42, "confidence": 81, "createdAt": "D0-PT16H27M"},
  {"id": 253, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Greek yogurt with berries", "carbEstimate": 18, "confidence": 81, "createdAt": "D0-PT16H27M"},
  {"id": 254, "userId": "000105.00000000000000000000000000000005.0105", "name": "Wholegrain muesli with milk", "carbEstimate": 42, "confidence": 81, "createdAt": "D0-PT16H27M"},
  {"id": 255, "userId": "web-1001", "name": "Wholegrain muesli with milk", "carbEstimate": 42, "confidence": 81, "createdAt": "D0-PT16H27M"},
  {"id": 256, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Lunch sandwich", "carbEstimate": 55, "confidence": 88, "createdAt": "D0-PT11H42M"},
  {"id": 257, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Lentil soup with bread", "carbEstimate": 46, "confidence": 88, "createdAt": "D0-PT11H42M"},
  {"id": 258, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Lunch sandwich", "carbEstimate": 55, "confidence": 88, "createdAt": "D0-PT11H42M"},
  {"id": 259, "userId": "000105.00000000000000000000000000000005.0105", "name": "Lunch sandwich", "carbEstimate": 55, "confidence": 88, "createdAt": "D0-PT11H42M"},
  {"id": 260, "userId": "web-1001", "name": "Lunch sandwich", "carbEstimate": 55, "confidence": 88, "createdAt": "D0-PT11H42M"},
  {"id": 261, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 95, "createdAt": "D0-PT5H12M"},
  {"id": 262, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chicken stir-fry with rice", "carbEstimate": 52, "confidence": 95, "createdAt": "D0-PT5H12M"},
  {"id": 263, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 95, "createdAt": "D0-PT5H12M"},
  {"id": 264, "userId": "000105.00000000000000000000000000000005.0105", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 95, "createdAt": "D0-PT5H12M"},
  {"id": 265, "userId": "web-1001", "name": "Burrito bowl", "carbEstimate": 57, "confidence": 95, "createdAt": "D0-PT5H12M"},
  {"id": 266, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Breakfast toast", "carbEstimate": 30, "confidence": 60, "createdAt": "D0+PT7H30M"},
  {"id": 267, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Smoothie bowl", "carbEstimate": 44, "confidence": 60, "createdAt": "D0+PT7H30M"},
  {"id": 268, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Chickpea curry bowl", "carbEstimate": 47, "confidence": 67, "createdAt": "D0+PT12H15M"},
  {"id": 269, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Turkey sandwich", "carbEstimate": 37, "confidence": 67, "createdAt": "D0+PT12H15M"},
  {"id": 270, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Chickpea curry bowl", "carbEstimate": 47, "confidence": 67, "createdAt": "D0+PT12H15M"},
  {"id": 271, "userId": "000102.000000000000000000000000e55e0002.0102", "name": "Vegetable lasagne", "carbEstimate": 43, "confidence": 74, "createdAt": "D0+PT18H45M"},
  {"id": 272, "userId": "000103.00000000000000000000000000b00003.0103", "name": "Chili con carne", "carbEstimate": 31, "confidence": 74, "createdAt": "D0+PT18H45M"},
  {"id": 273, "userId": "000101.00000000000000000000000000f4ee01.0101", "name": "Vegetable lasagne", "carbEstimate": 43, "confidence": 74, "createdAt": "D0+PT18H45M"}
]

"""####
        ),
        (
            "quota-uses.json",
            ####"""
[
  {"userId": "000102.000000000000000000000000e55e0002.0102", "scansAtStartOfMonth": 5, "chats": ["D0+PT9H"]}
]

"""####
        ),
        (
            "receipt-keys.json",
            ####"""
[
  {"id": "carbscan-receipts-1", "x": "MmownkR7GDPxUbsOphqPwtBbTWpPPiR3-GC8oDKd3Og", "y": "ZnzIeo-vVP9G6JdSGE2yOYOX1UZTKOrDW-GB5B3SuhM", "d": "h7x99jaPRVui7uYtxF1GCpcSJwQa-sB7qTG-2OUCC1k"}
]

"""####
        ),
        (
            "scenarios/access-token-expired.json",
            ####"""
{
  "title": "Access tokens have expired, both issued ones and those of a sign-in; refresh tokens are valid",
  "expect": "Refresh once, repeat the call once",
  "settings": {
    "tokens": {
      "first": "expired"
    }
  },
  "changes": [
    {
      "change": "endAccessTokens"
    }
  ]
}

"""####
        ),
        (
            "scenarios/access-token-expires-soon.json",
            ####"""
{
  "title": "Access tokens have 60 s left, both issued ones and those of a sign-in",
  "expect": "Refresh before they expire",
  "settings": {
    "tokens": {
      "first": "expiring"
    }
  },
  "changes": [
    {
      "change": "endAccessTokens",
      "count": 60
    }
  ]
}

"""####
        ),
        (
            "scenarios/account-linked.json",
            ####"""
{
  "title": "Unknown Apple tokens have the e-mail of a web account with meals and Essentials",
  "expect": "The account keeps its id, tier and meals; the history is there",
  "settings": {
    "apple": {
      "email": "linked"
    }
  }
}

"""####
        ),
        (
            "scenarios/analysis-fails.json",
            ####"""
{
  "title": "The next analysis answers SERVER_ERROR and uses no scan; the one after works",
  "expect": "Keep the photo and let the user try again",
  "settings": {
    "analyze": {
      "failures": 1
    }
  }
}

"""####
        ),
        (
            "scenarios/analysis-low-confidence.json",
            ####"""
{
  "title": "Every estimate has level 0.60 and a wide range",
  "expect": "Show the range, and ask the user to check",
  "settings": {
    "analyze": {
      "result": "lowConfidence"
    }
  }
}

"""####
        ),
        (
            "scenarios/analysis-no-food.json",
            ####"""
{
  "title": "Every photo shows no food: 0 g",
  "expect": "Ask for another photo",
  "settings": {
    "analyze": {
      "result": "noFood"
    }
  }
}

"""####
        ),
        (
            "scenarios/analysis-slow.json",
            ####"""
{
  "title": "An analysis takes 20 s",
  "expect": "Show progress; do not send the photo again",
  "settings": {
    "analyze": {
      "delayMs": 20000
    }
  }
}

"""####
        ),
        (
            "scenarios/apple-names-missing.json",
            ####"""
{
  "title": "Returning users have neither names nor e-mail",
  "expect": "Every screen works with null; no \"null null\"",
  "changes": [
    {
      "change": "forgetNames"
    }
  ]
}

"""####
        ),
        (
            "scenarios/apple-not-configured.json",
            ####"""
{
  "title": "Sign in with Apple answers CONFIGURATION_ERROR with status 500",
  "expect": "Offer another way to sign in",
  "settings": {
    "apple": {
      "configured": false
    }
  }
}

"""####
        ),
        (
            "scenarios/apple-token-rejected.json",
            ####"""
{
  "title": "Every Apple sign-in answers INVALID_TOKEN with status 401",
  "expect": "Show a message and let the user try again",
  "settings": {
    "apple": {
      "tokens": "refused"
    }
  }
}

"""####
        ),
        (
            "scenarios/bare-404.json",
            ####"""
{
  "title": "Unknown paths answer {\"error\":\"…\"} without the envelope",
  "expect": "Decode both forms of error",
  "settings": {
    "notFound": {
      "shape": "bare"
    }
  }
}

"""####
        ),
        (
            "scenarios/captive-portal.json",
            ####"""
{
  "title": "A captive portal answers every call with its login page: 200, HTML",
  "expect": "Treat it as offline; look at Content-Type before decoding",
  "faults": [
    {"effect": {"body": "html"}}
  ]
}

"""####
        ),
        (
            "scenarios/chat-limit-reached.json",
            ####"""
{
  "title": "Free accounts have used their 3 questions of today",
  "expect": "Show CHAT_LIMIT_REACHED with dailyLimit; no question before the next day",
  "changes": [
    {
      "change": "leaveChats",
      "tier": "free",
      "count": 0
    }
  ]
}

"""####
        ),
        (
            "scenarios/companion-device-errors.json",
            ####"""
{
  "title": "Device routes answer like the client's helper server: a token is needed, and error is a string",
  "expect": "Decode both forms of error",
  "settings": {
    "devices": {
      "mode": "companion"
    }
  }
}

"""####
        ),
        (
            "scenarios/config-error.json",
            ####"""
{
  "title": "/config answers CONFIG_ERROR with status 500",
  "expect": "Start with the last known or the built-in configuration",
  "settings": {
    "config": {
      "fails": true
    }
  }
}

"""####
        ),
        (
            "scenarios/connection-reset.json",
            ####"""
{
  "title": "The connection is reset before every answer",
  "expect": "Treat it as a failed call; retry with backoff",
  "settings": {
    "answers": {
      "form": "reset"
    }
  }
}

"""####
        ),
        (
            "scenarios/cookie-wall.json",
            ####"""
{
  "title": "/config is a redirect (302) to itself until the client sends the cookie that it sets",
  "expect": "Send the cookie with the redirected request, and end a redirect loop",
  "faults": [
    {"match": {"path": "/api/mobile/v1/config", "headers": {"Cookie": {"absent": true}}}, "effect": {"respond": {"status": 302, "headers": [["Location", "/api/mobile/v1/config"], ["Set-Cookie", "visitor=1; Path=/"], ["Cache-Control", "no-store"]]}}}
  ]
}

"""####
        ),
        (
            "scenarios/day-rollover.json",
            ####"""
{
  "title": "30 s before midnight (UTC), with scans of free accounts and questions used up",
  "expect": "After midnight everything is there again without a new sign-in",
  "clock": {
    "to": "nextDay-PT30S"
  },
  "changes": [
    {
      "change": "leaveScans",
      "tier": "free",
      "count": 0
    },
    {
      "change": "leaveChats",
      "count": 0
    }
  ]
}

"""####
        ),
        (
            "scenarios/device-registration-error.json",
            ####"""
{
  "title": "Registering a device answers REGISTRATION_ERROR with status 500",
  "expect": "Try again later; do not disturb the user",
  "settings": {
    "devices": {
      "fails": true
    }
  }
}

"""####
        ),
        (
            "scenarios/empty-answer.json",
            ####"""
{
  "title": "Every answer is empty",
  "expect": "Treat it as a failed call",
  "settings": {
    "answers": {
      "form": "empty"
    }
  }
}

"""####
        ),
        (
            "scenarios/empty-history.json",
            ####"""
{
  "title": "No account has meals: zeros, nulls, empty pages",
  "expect": "Show an empty state",
  "changes": [
    {
      "change": "removeMeals"
    }
  ]
}

"""####
        ),
        (
            "scenarios/endless-401.json",
            ####"""
{
  "title": "Every protected call answers 401 although refresh succeeds",
  "expect": "Refresh once, repeat once, then give up",
  "settings": {
    "tokens": {
      "access": "refused"
    }
  }
}

"""####
        ),
        (
            "scenarios/features-off.json",
            ####"""
{
  "title": "All feature flags of /config are false",
  "expect": "Hide what is off",
  "settings": {
    "features": {
      "aiChat": false,
      "mealScanning": false,
      "insights": false,
      "offlineMode": false
    }
  }
}

"""####
        ),
        (
            "scenarios/gzip-mislabelled.json",
            ####"""
{
  "title": "/config says Content-Encoding: gzip and is plain",
  "expect": "Start with the last known or the built-in configuration",
  "faults": [
    {"match": {"path": "/api/mobile/v1/config"}, "effect": {"respond": {"status": 200, "headers": [["Content-Encoding", "gzip"]], "body": {"success": true, "data": {}}}}}
  ]
}

"""####
        ),
        (
            "scenarios/history-1000.json",
            ####"""
{
  "title": "Everybody has 1000 meals",
  "expect": "Page with limit at most 100 and stop when hasMore is false",
  "changes": [
    {
      "change": "fillHistory",
      "count": 1000
    }
  ]
}

"""####
        ),
        (
            "scenarios/history-window.json",
            ####"""
{
  "title": "The history shows 7, 30 or all days by tier",
  "expect": "Explain what is hidden; offer the upgrade",
  "settings": {
    "history": {
      "window": "tier"
    }
  }
}

"""####
        ),
        (
            "scenarios/html-gateway-error.json",
            ####"""
{
  "title": "Every call answers 502 with an HTML page",
  "expect": "Show a message; back off",
  "settings": {
    "answers": {
      "form": "htmlGateway"
    }
  }
}

"""####
        ),
        (
            "scenarios/image-too-large.json",
            ####"""
{
  "title": "limits.maxImageSize is 100 kB",
  "expect": "Scale photos down to what /config says",
  "settings": {
    "limits": {
      "maxImageSize": 100000
    }
  }
}

"""####
        ),
        (
            "scenarios/keep-alive-closed.json",
            ####"""
{
  "title": "The next analysis on a kept-alive connection that was idle is done and uses a scan, but its answer is lost: the connection closes",
  "expect": "Do not send the photo again by itself; reload the quota first",
  "faults": [
    {"match": {"method": "POST", "path": "/api/mobile/v1/analyze", "connection": "reused"}, "phase": "after", "when": {"times": 1}, "effect": {"connection": "empty"}}
  ]
}

"""####
        ),
        (
            "scenarios/last-scan.json",
            ####"""
{
  "title": "Free accounts have 1 scan left; the second analysis answers NO_SCANS_REMAINING",
  "expect": "Show what is left after each scan, and the offer to upgrade after the last",
  "changes": [
    {
      "change": "leaveScans",
      "tier": "free",
      "count": 1
    }
  ]
}

"""####
        ),
        (
            "scenarios/login-cancelled.json",
            ####"""
{
  "title": "The browser sign-in comes back with access_denied",
  "expect": "Return to the sign-in screen without an error",
  "settings": {
    "browser": {
      "cancelled": true
    }
  }
}

"""####
        ),
        (
            "scenarios/magic-link-expired.json",
            ####"""
{
  "title": "Magic links work, but all have expired",
  "expect": "Say so, and offer to send another",
  "settings": {
    "magicLink": {
      "verify": "on",
      "lifeSeconds": 0
    }
  }
}

"""####
        ),
        (
            "scenarios/magic-link-works.json",
            ####"""
{
  "title": "Magic links sign in",
  "expect": "Open the link and sign in with its token",
  "settings": {
    "magicLink": {
      "verify": "on"
    }
  }
}

"""####
        ),
        (
            "scenarios/midnight-meals.json",
            ####"""
{
  "title": "Everybody has meals one second before and after midnight UTC",
  "expect": "Group them by day as the insights do",
  "changes": [
    {
      "change": "addMidnightMeals"
    }
  ]
}

"""####
        ),
        (
            "scenarios/missing-meta.json",
            ####"""
{
  "title": "No answer has meta",
  "expect": "Do without it",
  "settings": {
    "meta": {
      "omit": true
    }
  }
}

"""####
        ),
        (
            "scenarios/month-rollover.json",
            ####"""
{
  "title": "30 s before midnight of the last day of the month (UTC), with all quotas used up",
  "expect": "After midnight everything is there again without a new sign-in",
  "clock": {
    "to": "nextMonth-PT30S"
  },
  "changes": [
    {
      "change": "leaveScans",
      "count": 0
    },
    {
      "change": "leaveChats",
      "count": 0
    }
  ]
}

"""####
        ),
        (
            "scenarios/month-used-up.json",
            ####"""
{
  "title": "Essentials accounts have no scans until the first of the month",
  "expect": "Show the date; no analysis before it",
  "changes": [
    {
      "change": "leaveScans",
      "tier": "essentials",
      "count": 0
    }
  ]
}

"""####
        ),
        (
            "scenarios/no-previous-week.json",
            ####"""
{
  "title": "There are no meals before the last seven days: the trend has nothing to compare",
  "expect": "Show stable, not a division by zero",
  "changes": [
    {
      "change": "removeOldMeals"
    }
  ]
}

"""####
        ),
        (
            "scenarios/no-scans-remaining.json",
            ####"""
{
  "title": "Free accounts have no scans until midnight",
  "expect": "Show when scans come back; no analysis before scanResetDate",
  "changes": [
    {
      "change": "leaveScans",
      "tier": "free",
      "count": 0
    }
  ]
}

"""####
        ),
        (
            "scenarios/pkce-mismatch.json",
            ####"""
{
  "title": "No code_verifier matches: INVALID_GRANT",
  "expect": "Start the browser sign-in again; show error.message",
  "settings": {
    "browser": {
      "verifierRefused": true
    }
  }
}

"""####
        ),
        (
            "scenarios/private-relay.json",
            ####"""
{
  "title": "Apple accounts have a private relay address as e-mail",
  "expect": "Show and keep it like any other address",
  "settings": {
    "apple": {
      "email": "relay"
    }
  },
  "changes": [
    {
      "change": "hideMails"
    }
  ]
}

"""####
        ),
        (
            "scenarios/quota-as-200.json",
            ####"""
{
  "title": "Both quota errors come with status 200 and success false",
  "expect": "Look at success before data",
  "settings": {
    "quota": {
      "status": 200
    }
  }
}

"""####
        ),
        (
            "scenarios/quota-as-429.json",
            ####"""
{
  "title": "Both quota errors come with status 429",
  "expect": "Go by the code, and do not retry",
  "settings": {
    "quota": {
      "status": 429
    }
  }
}

"""####
        ),
        (
            "scenarios/receipt-in-use.json",
            ####"""
{
  "title": "Every purchase belongs to another account: RECEIPT_IN_USE",
  "expect": "Offer to sign in to the other account",
  "settings": {
    "receipts": {
      "inUse": true
    }
  }
}

"""####
        ),
        (
            "scenarios/refresh-rotation.json",
            ####"""
{
  "title": "Access tokens last 15 minutes, refresh tokens rotate, and a second use ends the session",
  "expect": "Store the new refresh token at once; one refresh at a time",
  "settings": {
    "tokens": {
      "profile": "rotation"
    }
  }
}

"""####
        ),
        (
            "scenarios/refresh-token-expired.json",
            ####"""
{
  "title": "All issued access and refresh tokens have expired",
  "expect": "Forget both tokens and ask to sign in",
  "changes": [
    {
      "change": "endAccessTokens"
    },
    {
      "change": "endRefreshTokens"
    }
  ]
}

"""####
        ),
        (
            "scenarios/revoke-hardened.json",
            ####"""
{
  "title": "Logout ends the session: its refresh and access tokens answer 401",
  "expect": "Forget both tokens on logout",
  "settings": {
    "tokens": {
      "profile": "blacklist"
    }
  }
}

"""####
        ),
        (
            "scenarios/single-meal.json",
            ####"""
{
  "title": "Everybody has one meal, which is highest and lowest",
  "expect": "Show it in both places",
  "changes": [
    {
      "change": "keepOneMeal"
    }
  ]
}

"""####
        ),
        (
            "scenarios/subscription-lapses.json",
            ####"""
{
  "title": "Paid subscriptions are canceled and end in 60 s",
  "expect": "After that show the free tier and its limits",
  "changes": [
    {
      "change": "setStanding",
      "status": "canceled",
      "count": 60
    }
  ]
}

"""####
        ),
        (
            "scenarios/subscription-past-due.json",
            ####"""
{
  "title": "Paid subscriptions are past_due and keep their limits",
  "expect": "Ask for a payment method; keep everything open",
  "changes": [
    {
      "change": "setStanding",
      "status": "past_due"
    }
  ]
}

"""####
        ),
        (
            "scenarios/sync-backlog.json",
            ####"""
{
  "title": "150 server changes wait for the device",
  "expect": "Take all of them in one sync without blocking the screen",
  "changes": [
    {
      "change": "addBacklog",
      "count": 150
    }
  ]
}

"""####
        ),
        (
            "scenarios/sync-clock-skew.json",
            ####"""
{
  "title": "The server is two hours ahead of the device",
  "expect": "Send back serverTimestamp, never the device clock",
  "clock": {
    "advance": "PT2H"
  }
}

"""####
        ),
        (
            "scenarios/sync-conflict.json",
            ####"""
{
  "title": "The server's meal differs from the uploaded one: a second upload is a conflict",
  "expect": "Take the server's version; do not upload the same change again",
  "settings": {
    "sync": {
      "serverEdits": "on"
    }
  },
  "changes": [
    {
      "change": "editUploads"
    }
  ]
}

"""####
        ),
        (
            "scenarios/sync-lost-answer.json",
            ####"""
{
  "title": "The next upload is stored, but its answer is cut off",
  "expect": "Retry with the same local ids; nothing is stored twice",
  "settings": {
    "sync": {
      "lostAnswers": 1
    }
  }
}

"""####
        ),
        (
            "scenarios/sync-one-bad-item.json",
            ####"""
{
  "title": "The first meal that an account uploads is refused, and with it the whole batch",
  "expect": "Take the meal that details names out of the batch and send the others",
  "settings": {
    "sync": {
      "badItem": "on"
    }
  }
}

"""####
        ),
        (
            "scenarios/token-secret-rotated.json",
            ####"""
{
  "title": "The server was restarted with another secret: every token answers 401, refresh included",
  "expect": "Back to sign-in, no crash, no loop",
  "changes": [
    {
      "change": "rotateTokenSecret"
    }
  ]
}

"""####
        ),
        (
            "scenarios/trend-client-words.json",
            ####"""
{
  "title": "The trend says up and down",
  "expect": "Know both sets of words",
  "settings": {
    "trends": {
      "words": "client"
    }
  }
}

"""####
        ),
        (
            "scenarios/truncated-json.json",
            ####"""
{
  "title": "Every answer ends in the middle of its JSON",
  "expect": "Treat it as a failed call",
  "settings": {
    "answers": {
      "form": "truncatedJson"
    }
  }
}

"""####
        ),
        (
            "scenarios/unknown-fields.json",
            ####"""
{
  "title": "Every object of every answer has one more field",
  "expect": "Ignore it",
  "settings": {
    "answers": {
      "unknownFields": true
    }
  }
}

"""####
        ),
        (
            "scenarios/unlimited-as-null.json",
            ####"""
{
  "title": "What is unlimited for Pro is sent as null",
  "expect": "Chat stays open: null is not 0",
  "settings": {
    "quota": {
      "unlimited": "null"
    }
  }
}

"""####
        ),
        (
            "scenarios/upgrade-mid-period.json",
            ####"""
{
  "title": "Free accounts have no scans left; a receipt for Pro gives 300 at once",
  "expect": "Send the receipt and show the new quota",
  "changes": [
    {
      "change": "leaveScans",
      "tier": "free",
      "count": 0
    }
  ]
}

"""####
        ),
        (
            "scenarios/web-session-missing.json",
            ####"""
{
  "title": "/auth/replit finds no web session",
  "expect": "Go on to the other ways to sign in",
  "settings": {
    "web": {
      "session": "missing"
    }
  }
}

"""####
        ),
        (
            "users.json",
            ####"""
[
  {"id": "000101.00000000000000000000000000f4ee01.0101", "appleSub": "000101.00000000000000000000000000f4ee01.0101", "email": "free@carbscan.test", "firstName": "Free", "lastName": "Persona", "tier": "free", "profileImageUrl": null, "emailRemindersEnabled": true},
  {"id": "000102.000000000000000000000000e55e0002.0102", "appleSub": "000102.000000000000000000000000e55e0002.0102", "email": "essentials@carbscan.test", "firstName": "Essentials", "lastName": "Persona", "tier": "essentials", "profileImageUrl": null, "emailRemindersEnabled": true},
  {"id": "000103.00000000000000000000000000b00003.0103", "appleSub": "000103.00000000000000000000000000b00003.0103", "email": "pro@carbscan.test", "firstName": "Pro", "lastName": "Persona", "tier": "pro", "profileImageUrl": "https://example.com/image.jpg", "emailRemindersEnabled": true},
  {"id": "000104.00000000000000000000000000000004.0104", "appleSub": "000104.00000000000000000000000000000004.0104", "email": "new@carbscan.test", "firstName": null, "lastName": null, "tier": "free", "profileImageUrl": null, "emailRemindersEnabled": true},
  {"id": "000105.00000000000000000000000000000005.0105", "appleSub": "000105.00000000000000000000000000000005.0105", "email": "x7k2m9q4@privaterelay.appleid.com", "firstName": "Relay", "lastName": "Persona", "tier": "free", "profileImageUrl": null, "emailRemindersEnabled": true},
  {"id": "web-1001", "appleSub": null, "email": "web@carbscan.test", "firstName": "Web", "lastName": "Persona", "tier": "essentials", "profileImageUrl": null, "emailRemindersEnabled": true}
]

"""####
        ),
    ]
}
