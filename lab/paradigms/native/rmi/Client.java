import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.zip.Adler32;

/**
 * The same as mpi.c by RMI. Calls wait for their replies; what is to overlap gets a thread of its own.
 *
 * <p>usage: Client SERVER latency|stream BYTES..., or Client SERVER multiply SIZE REPEATS WORKERS.
 * SERVER is the command that starts one; LAB_HOST is where it then is (127.0.0.1).
 */
public class Client {
    static final int THREADS = 4, STREAM = 2000;
    static final double ENOUGH = 0.4, WARM = 1.5; // seconds; Java compiles what it often runs
    static final List<Process> servers = new ArrayList<>();

    interface Once {
        void run() throws Exception;
    }

    static Calls start(String command) throws Exception {
        String given = System.getenv("LAB_HOST"), host = given == null ? "127.0.0.1" : given;
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of(host, Integer.toString(port)));
        Process server =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        servers.add(server);
        server.getInputStream().read();
        return (Calls) LocateRegistry.getRegistry(host, port).lookup("calls");
    }

    static double seconds() {
        return System.nanoTime() * 1e-9;
    }

    static double median(double[] times, int count) {
        Arrays.sort(times, 0, count);
        return times[count / 2];
    }

    static double measure(Once call) throws Exception {
        double[] times = new double[100000];
        int count = 0;
        double end = seconds() + ENOUGH;
        do {
            double begin = seconds();
            call.run();
            times[count++] = seconds() - begin;
        } while (count < times.length && (count < 5 || seconds() < end));
        return median(times, count);
    }

    static void inThreads(int count, java.util.function.IntFunction<Callable<Void>> part)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        List<Future<Void>> futures = new ArrayList<>();
        for (int each = 0; each < count; each++) {
            futures.add(threads.submit(part.apply(each)));
        }
        for (Future<Void> future : futures) {
            future.get();
        }
        threads.shutdown();
    }

    static void stream(Calls calls, byte[] block) throws Exception {
        inThreads(
                THREADS,
                each ->
                        () -> {
                            for (int one = 0; one < STREAM / THREADS; one++) {
                                calls.echo(block);
                            }
                            return null;
                        });
    }

    static String calls(String[] words) throws Exception {
        Calls calls = start(words[0]);
        boolean streaming = words[1].equals("stream");
        List<String> measures = new ArrayList<>();
        double warm = seconds() + WARM;
        for (byte[] block = new byte[500]; seconds() < warm; ) {
            calls.echo(block);
        }
        for (int which = 2; which < words.length; which++) {
            byte[] block = new byte[Integer.parseInt(words[which])];
            double took = measure(() -> {
                if (streaming) {
                    stream(calls, block);
                } else {
                    calls.echo(block);
                }
            });
            measures.add("\"" + words[which] + "\": " + (streaming ? took / STREAM : took));
        }
        return measures.stream().collect(Collectors.joining(", "));
    }

    static double[] newNumbers(int count, int state) {
        double[] numbers = new double[count];
        for (int each = 0; each < count; each++) {
            state = state * 1664525 + 1013904223;
            numbers[each] = (state >>> 22) - 512;
        }
        return numbers;
    }

    static long checksum(double[][] rows) {
        java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate(8 * rows.length * rows[0].length);
        bytes.order(java.nio.ByteOrder.LITTLE_ENDIAN);
        for (double[] row : rows) {
            for (double number : row) {
                bytes.putDouble(number);
            }
        }
        Adler32 sum = new Adler32();
        sum.update(bytes.array());
        return sum.getValue();
    }

    static String multiply(String[] words) throws Exception {
        int size = Integer.parseInt(words[2]), repeats = Integer.parseInt(words[3]);
        int workers = Integer.parseInt(words[4]);
        double[] a = newNumbers(size * size, 1), b = newNumbers(size * size, 2);
        double[][] c = new double[size][];
        Calls[] calls = new Calls[workers];
        for (int each = 0; each < workers; each++) {
            calls[each] = start(words[0]);
        }
        double[] times = new double[repeats];
        for (int repeat = -2; repeat < repeats; repeat++) { // two that do not count
            double begin = seconds();
            AtomicInteger next = new AtomicInteger();
            inThreads(
                    workers,
                    each ->
                            () -> {
                                calls[each].keep(b);
                                for (int row; (row = next.getAndIncrement()) < size; ) {
                                    double[] line = Arrays.copyOfRange(a, row * size, (row + 1) * size);
                                    c[row] = calls[each].times(line);
                                }
                                return null;
                            });
            if (repeat >= 0) {
                times[repeat] = seconds() - begin;
            }
        }
        return "\"seconds\": " + median(times, repeats) + ", \"check\": " + checksum(c);
    }

    public static void main(String[] words) throws Exception {
        System.out.println("{" + (words[1].equals("multiply") ? multiply(words) : calls(words)) + "}");
        for (Process server : servers) {
            server.destroy();
        }
        System.exit(0);
    }
}
