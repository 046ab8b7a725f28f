// A note in Swing; its state goes to the file that is named, whenever it changes.
import java.awt.BorderLayout;
import java.awt.event.KeyEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JFrame;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JMenuItem;
import javax.swing.JPanel;
import javax.swing.JScrollPane;
import javax.swing.JTextArea;
import javax.swing.SwingUtilities;
import javax.swing.Timer;

public class Note {
  static int pressed = 0;
  static boolean opened = false;
  static String last = "";

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char unit : text.toCharArray()) out.append(String.format("\\u%04x", (int) unit));
    return out.append('"').toString();
  }

  public static void main(String[] args) {
    SwingUtilities.invokeLater(() -> {
      JFrame frame = new JFrame("Swing note");
      JTextArea note = new JTextArea(8, 30);
      JCheckBox bold = new JCheckBox("Bold");
      JButton press = new JButton("Press");
      press.addActionListener(event -> pressed++);
      JPanel top = new JPanel();
      top.add(bold);
      top.add(press);
      JMenu menu = new JMenu("File");
      menu.setMnemonic(KeyEvent.VK_F);
      menu.addActionListener(event -> {});
      menu.getModel().addChangeListener(event -> opened = opened || menu.isPopupMenuVisible());
      JMenuItem clear = new JMenuItem("Clear", KeyEvent.VK_C);
      clear.addActionListener(event -> note.setText(""));
      menu.add(clear);
      JMenuBar bar = new JMenuBar();
      bar.add(menu);
      frame.setJMenuBar(bar);
      frame.add(top, BorderLayout.NORTH);
      frame.add(new JScrollPane(note), BorderLayout.CENTER);
      frame.setBounds(80, 80, 420, 300);
      frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
      frame.setVisible(true);
      note.requestFocusInWindow();
      new Timer(50, event -> {
        String state = "{\"text\":" + quoted(note.getText()) + ",\"bold\":" + bold.isSelected()
          + ",\"pressed\":" + pressed + ",\"opened\":" + opened + "}";
        if (state.equals(last)) return;
        last = state;
        try {
          Files.writeString(Path.of(args[0]), state);
        } catch (java.io.IOException error) {
          throw new java.io.UncheckedIOException(error);
        }
      }).start();
    });
  }
}
