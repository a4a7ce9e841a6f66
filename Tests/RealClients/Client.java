import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The two clients of the JDK: prints what each says of each URL. */
public class Client {
    private static final int LIMIT = 1_000;

    private static String causes(Throwable error) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = error; cause != null; cause = cause.getCause()) text.append(cause).append(" | ");
        return text.toString();
    }

    public static void main(String[] urls) {
        for (String url : urls) {
            try {
                HttpClient client = HttpClient.newHttpClient();
                HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofMillis(LIMIT)).build();
                HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
                System.out.println("HttpClient: " + response.statusCode() + " " + response.body().length);
            } catch (Exception error) {
                System.out.println("HttpClient: " + causes(error));
            }
            try {
                HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
                connection.setReadTimeout(LIMIT);
                int status = connection.getResponseCode();
                System.out.println("HttpURLConnection: " + status + ", length " + connection.getContentLengthLong());
            } catch (Exception error) {
                System.out.println("HttpURLConnection: " + causes(error));
            }
        }
    }
}
