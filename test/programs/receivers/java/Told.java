import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** What reaches a window, one line of JSON each. */
final class Told {
  private final PrintStream out;
  private String last = "";

  Told(String file) throws Exception {
    out = new PrintStream(new FileOutputStream(file, true), true, StandardCharsets.UTF_8);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char each : text.replace("\r", "").toCharArray())
      quoted.append(each == '"' || each == '\\' ? "\\" + each : each < ' ' ? String.format("\\u%04x", (int) each) : "" + each);
    return quoted.append('"').toString();
  }

  void say(String event) { out.println("{\"event\":" + quoted(event) + "}"); }

  void at(String event, double x, double y) { out.println("{\"event\":" + quoted(event) + ",\"x\":" + (int) x + ",\"y\":" + (int) y + "}"); }

  void key(String name, boolean shift, boolean ctrl, boolean alt) {
    String held = List.of(shift ? "shift" : "", ctrl ? "ctrl" : "", alt ? "alt" : "").stream().filter(each -> !each.isEmpty()).map(Told::quoted).collect(Collectors.joining(","));
    out.println("{\"event\":\"key\",\"key\":" + quoted(name) + ",\"held\":[" + held + "]}");
  }

  /** The whole text of the editor, where it has changed. */
  void keep(String text) {
    if (text.equals(last)) return;
    last = text;
    out.println("{\"event\":\"text\",\"text\":" + quoted(text) + "}");
  }
}
