/// Sixteen fixed primes of 1024 bits, from which every RSA key of an emulator is made.
///
/// **These primes are published on purpose, and no key made from them protects anything.** Three demands meet here:
/// a key must be a function of the world's seed on every machine, so that a token made yesterday on Linux verifies
/// today on macOS and a recording replays byte for byte; making a world must not cost the second that a search for
/// primes takes; and the keys need not be secret, since tokens signed with them name an issuer that no production
/// system accepts, and whoever holds the emulator may mint any token anyway. Never use them for anything else.
///
/// Each has its two highest bits set, so the product of any two has exactly 2048 bits, and `p - 1` is coprime to
/// 65537 for each. `Tests/SigningTests` holds both, and makes a key of every pair.
enum PrimeBank {
    /// The number of primes.
    static var count: Int { hexadecimal.count }

    /// The prime at a place from 0 to `count` - 1, or nil.
    static func prime(at index: Int) -> Natural? {
        guard hexadecimal.indices.contains(index) else { return nil }
        return Hex.decode(hexadecimal[index]).map(Natural.init(bigEndian:))
    }

    private static let hexadecimal: [String] = [
        """
        c3c6848f9e146b7b432f1f9a386ed214d6ccc9955a38773fcb25fb9370987e71\
        5434907b4bfa702c015d5a8996bcd02d1f9e8d96fa24b9965dc236a25a425d50\
        193f804aab299f074a21a4a0f0d6bfcae3748516895b2f80c3ce2ab72c322021\
        c0614054b9e761d1168fccd2f07aeae07bbba69907c402a043c45474dde01999
        """,
        """
        c6ddaf456fdadd9d6589b600d569f60a1197e8a7dc423888b82de8478700ed02\
        f3a2bbeab684d08b62f4dd7961be0f8e12120af5af8eaae99b26c2dd69a69edd\
        3555adc235d36567047f8ee9e95c18b33715dc5753030db0bfc29f18d54bf2d5\
        1a71976a1564e98c6043c37c26f415f17528481b81ec1d9bcc883848125308b3
        """,
        """
        c75b8936dd84006215175569c05da998cef4c0eba4b9610f63d735f6ead127a8\
        49ce2a0b7565ba3d3d63c9a6e1c77dc0f05d6bb007021f8f44f44159f928a68a\
        0f1e74779d7ffbc9ae445ad923dadfd2f8e95a678ca0f31aecffb1ecb68eb77c\
        474dd3fcb7cf4fff32cd2460804d393a9029a2ae08161063258d89ab45d47efd
        """,
        """
        c865fc50aece4ee1d482469e2bd4d196d42ef8e8ec74560da0c80ffc2f7588f1\
        7ccf2dfe6342740762f61f489161f42218f14a0846e3c39b8dfce1f4e648e7b1\
        8897dcf9c6f99cd735140c037c4d900bf9bfb00936066c26232b276ee82c0d28\
        b815b9eeb8d60aaaf76e879a3c719eea493c416a320257d7a6d4fabd33852c37
        """,
        """
        ca6223ce6c999c3a8175f92a9e09c8d5fc23209594a887f2b53bde8bcf671ab4\
        51bcce9735b42d4b105b5dfbafe3bf93e34e71b2335cde9950c77d7a376b75fb\
        a2f7ffa1a1ef8904bae5f9118cc8272c39dacadf550e7da6e4155d4f085764b7\
        30af8ecbb0558e956d6d0c16cb670a654e4cb3bcad5ba6a3e8458c784d2f6929
        """,
        """
        cce48d1f7e0757b95c0062f8a2c030010414e09233839473c27a47ccc70133d4\
        8ffd52b335f18fc305c793818fa1a4688df69f2a14b1c0840a1c2bd94ac8d362\
        c17fb6e5aee297a62f941fc29bf731036d6a3515d758eda3bd93570482a43577\
        3fffffbdc1c06101b22ba40b4781573e2ecc427f889f807b74114b7ed6b7cf33
        """,
        """
        cf053972c8084eaa53a724bc78d927e926d2812e780b1f8cf89b8d293d8b4b14\
        93a76fe201abadfea546b3a5f4f51e445f3859606741025bcdfce424a571121f\
        4c06821c175f6a47a8517d829925cce2d2d93bef9c76f4a3746bb0de804e203c\
        e338de0b9e1aa2363351c56e2c67fd35c42e4e6e4a3052c8df770f669a2074f3
        """,
        """
        d0b92f1edb9e867227155e66493e6b28f7d65bd4ad92ed7ba88d3d804cf4ce58\
        43b132d86307997b013c0c71446b0efa4ec6f862b605001b37145ac8f28d9405\
        7cf845035ff8c1252fad8007dd3b55347de4a15009ee203c45d34e4c638c6ac2\
        a32b2559d665581c43fd013ff1efecb3a989595ed0f0ab983c19ef3b54ace02d
        """,
        """
        d253da5f1951312af20498b4fb688234544c18168f4d1ac58a54b23d8d29d077\
        caaeeb12be3ca6a933ae0b008a6108c2ea947b0b078ef838a4a2f70deeb85597\
        d7950ca8be1b7df4cbe805d26600f25dac30aba23b1a4b60df365f9939b9074a\
        a95bffcd623ce969d312a937f3aa1a756e2c9bdab5ab82764a49b369b708e4f3
        """,
        """
        d64e1ac301ec41f80c3af06844150728eadd344dfe1b46d4ace561da9ceb6c69\
        c9cc021fa759031627be86ef46ef9c874d16bdfa573225d35835ce1e28a7c400\
        65fd413dfd3b3e9661bcc94acd105e8b5527867faf8cad3c03e9d175112dd05c\
        1baebc149680af87d571fa68b102854aaeba8e9aa163545f6f6b4d06aaaa9dbb
        """,
        """
        dd5aef4395f03acdc57994a21d44f5f87e66411a0eb4b88e67654feac9fe3317\
        368680314bef04c4fcd3bd4705b456c7a96a86a769056f9e72cda4c5247a1079\
        138cae73a987ed8a839e46ef7e93d33d9756e7f86e18963346d9f72cbd947d96\
        b833f2c8d3ab931b85890d23d615e5f44899e4c3ea629d3121ea32ff8a34162d
        """,
        """
        dd8605aeee195b9aff3c2f43532f871f76634893b9ea49d938a2f96ba84e7a9e\
        f99d328468d860b751107c7d47a80a63ce2eee651df5cd39184102e22a602850\
        429b88e074ddc79d601c0a0789443cc6d7b58c806768d9592e68d2541c94f053\
        80f63f48cc8c606bd1657c3bb9d173c8d41d3e2656e54637d23e39d8fd2c2b25
        """,
        """
        e678056415163bc78a28f9dab3377ec0cf8861cda450f4206ff6c9d88f06655e\
        b11b21058877492a2eb7fa44d740fcd7bd754fd81a2ae6f52b2b015703fd641f\
        39ee8fc3848daf8218ae98c8313b69389206011c5d0facc8c5a4d15bd97d0de6\
        461be6d19449167357872acaaf6527b608af51ec0e275a33b50131d377b2d6dd
        """,
        """
        ecc62aa3bdfb8e63e4be690884a6343ff02b9a43cb09578a83194d9b778c6b4d\
        3879180146e0848fabf2ad40d199062f49494dd992971dab115bb44e4025233f\
        1185f45c5d574a3b4212fe72f43e4361418358b678ceb9dd034c6ca42979e36b\
        dc7885bebf322fe5471b3cff9a996f8ed5c99f16c233650d9eca8c22fc9d7e1b
        """,
        """
        ef0ef73fd2cd059c518d362760faa4e73ce9bb90553c1182cb4f8f4095bbf218\
        109b089cff295c8a6f552add8d8c5052f9b3ee96311561c22f669f32e9fd434e\
        7dd4d244d64fba4900fdbdb473e9661181d85123b5b3d6148f59889ae3c4bd91\
        6d97afbc021e28f8a2bdc8acc504584eba1e4a366a3602baab08aa4c03fcf07b
        """,
        """
        f3701d300615f33b1e472b6987c477f33bf9bc048620047ca68072636ead7753\
        3ccc5c651043f09fa17dfd07d89cda6dd7f272065d609112723bab594f74a9cb\
        69fbb6c1a152ed65e57db188d55302a420fc498573eaff81657aa29336069eb8\
        423b570fd1684103cd283a60cc10d688342616d16c45c59fa9cfb504016fb173
        """,
    ]
}
