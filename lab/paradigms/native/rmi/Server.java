import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** A server of RMI with a registry of its own: Server HOST PORT. Ends with its standard input. */
public class Server implements Calls {
    private double[] matrix;

    public byte[] echo(byte[] block) {
        return block;
    }

    public void keep(double[] matrix) {
        this.matrix = matrix;
    }

    /** The same loops as those of the kernel in C. */
    public double[] times(double[] row) {
        int columns = matrix.length / row.length;
        double[] product = new double[columns];
        for (int k = 0; k < row.length; k++) {
            add(product, row[k], matrix, k * columns);
        }
        return product;
    }

    private static void add(double[] sums, double factor, double[] matrix, int begin) {
        for (int j = 0; j < sums.length; j++) {
            sums[j] += factor * matrix[begin + j];
        }
    }

    public static void main(String[] words) throws Exception {
        System.setProperty("java.rmi.server.hostname", words[0]);
        int port = Integer.parseInt(words[1]);
        Registry registry = LocateRegistry.createRegistry(port);
        Server server = new Server();
        registry.rebind("calls", UnicastRemoteObject.exportObject(server, port));
        System.out.println("ready");
        while (System.in.read() >= 0) {}
        System.exit(0);
    }
}
