import java.rmi.Remote;
import java.rmi.RemoteException;

/** What may be called from another machine. */
public interface Calls extends Remote {
    byte[] echo(byte[] block) throws RemoteException;

    void keep(double[] matrix) throws RemoteException;

    double[] times(double[] row) throws RemoteException;
}
