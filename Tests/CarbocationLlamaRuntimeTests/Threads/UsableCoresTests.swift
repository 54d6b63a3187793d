import Testing

@testable import CarbocationLlamaRuntime

@Suite("Usable cores")
struct UsableCoresTests {
    @Test(
        "one core stays free unless hyper-threading leaves spare ones",
        arguments: [(1, 1, 1), (2, 2, 1), (4, 4, 3), (8, 4, 4), (16, 8, 8), (2, 1, 1), (12, 12, 11)])
    func recommendation(logical: Int, physical: Int, threads: Int) {
        #expect(UsableCores(logical: logical, physical: physical).recommendedThreadCount == threads)
    }

    @Test("the machine has at least one core, and no more physical than logical ones")
    func current() {
        let cores = UsableCores.current()
        #expect(cores.logical >= 1)
        #expect((1...cores.logical).contains(cores.physical))
    }
}

#if os(Linux)
    @Suite("Fast cores")
    struct FastCoresTests {
        @Test("a machine of one kind of core has none, nor one that tells nothing")
        func alike() {
            #expect(UsableCores.fastCores(among: [0, 1]) { _ in nil } == nil)
            #expect(UsableCores.fastCores(among: [0, 1]) { $0.hasSuffix("cpu_capacity") ? "1024\n" : nil } == nil)
        }

        @Test("cores by capacity; slightly slower ones count as fast")
        func capacity() {
            let capacities = ["1024", "1000", "400", "400", "x"]
            let fast = UsableCores.fastCores(among: Array(0..<5)) { path in
                (0..<5).first { path == "/sys/devices/system/cpu/cpu\($0)/cpu_capacity" }.map { capacities[$0] }
            }
            #expect(fast == 2)
        }

        @Test("cores by kind: threads of one core count once, and only allowed ones")
        func kinds() {
            let files = [
                "/sys/devices/cpu_core/cpus": "0-3\n", "/sys/devices/cpu_atom/cpus": "4-7\n",
                "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list": "0-1",
                "/sys/devices/system/cpu/cpu1/topology/thread_siblings_list": "0-1",
                "/sys/devices/system/cpu/cpu2/topology/thread_siblings_list": "2-3",
                "/sys/devices/system/cpu/cpu3/topology/thread_siblings_list": "2-3",
            ]
            #expect(UsableCores.fastCores(among: Array(0..<8)) { files[$0] } == 2)
            #expect(UsableCores.fastCores(among: [2, 3, 6]) { files[$0] } == 1)
        }
    }
#endif

@Suite("Processor lists")
struct ProcessorListTests {
    @Test(
        "ranges and single processors; malformed parts are skipped",
        arguments: [
            ("0", [0]), ("0-3\n", [0, 1, 2, 3]), ("\t0-1,4,6-7", [0, 1, 4, 6, 7]), ("", []), ("x,2", [2]),
            ("3-1", []), ("-1", []), ("0-99999999999", []), ("1-", []),
        ])
    func numbers(list: String, processors: [Int]) {
        #expect(ProcessorList.numbers(in: list) == processors)
    }
}

@Suite("Control group quota")
struct ControlGroupTests {
    @Test(
        "version 2: the tightest limit of the group and its ancestors, rounded up",
        arguments: [
            ("max 100000", "max 100000", nil), ("150000 100000", "max 100000", 2),
            ("400000 100000", "100000 100000", 1),
            ("50000 100000", "max 100000", 1), ("0 100000", "junk", nil), ("-1 100000", "", nil),
        ] as [(String, String, Int?)])
    func version2(own: String, parent: String, cores: Int?) {
        let files = [
            "/proc/self/cgroup": "0::/apps/mine\n",
            "/sys/fs/cgroup/apps/mine/cpu.max": own + "\n",
            "/sys/fs/cgroup/apps/cpu.max": parent + "\n",
        ]
        #expect(ControlGroup.quota { files[$0] } == cores)
    }

    @Test("version 1", arguments: [("200000\n", 2), ("-1\n", nil), ("150000", 2)] as [(String, Int?)])
    func version1(quota: String, cores: Int?) {
        let files = [
            "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": quota, "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        ]
        #expect(ControlGroup.quota { files[$0] } == cores)
    }

    @Test("without control groups there is no quota")
    func none() {
        #expect(ControlGroup.quota { _ in nil } == nil)
    }
}
