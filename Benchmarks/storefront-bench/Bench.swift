@main
struct Bench {
    static func main() async {
        print("no benchmarks yet")
    }
}
