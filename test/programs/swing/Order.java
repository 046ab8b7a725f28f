// An order in Swing, with the controls that forms have; its state goes to the file that is named, whenever it changes.
import java.awt.FlowLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.swing.ButtonGroup;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JOptionPane;
import javax.swing.JPanel;
import javax.swing.JPasswordField;
import javax.swing.JRadioButton;
import javax.swing.JScrollPane;
import javax.swing.JTabbedPane;
import javax.swing.JTable;
import javax.swing.JTextArea;
import javax.swing.JTextField;
import javax.swing.JTree;
import javax.swing.SwingUtilities;
import javax.swing.Timer;

public class Order {
  static int asked = 0;
  static String last = "";

  public static void main(String[] args) {
    SwingUtilities.invokeLater(() -> {
      JFrame frame = new JFrame("Swing order");
      JPanel form = new JPanel(new FlowLayout());
      JTextField customer = new JTextField("Contoso", 14);
      JLabel label = new JLabel("Customer");
      label.setLabelFor(customer);
      JTextField number = new JTextField("4711", 6);
      number.getAccessibleContext().setAccessibleName("Number");
      number.setEditable(false);
      JTextArea notes = new JTextArea(3, 20);
      notes.getAccessibleContext().setAccessibleName("Notes");
      JPasswordField secret = new JPasswordField("geheim", 8);
      secret.getAccessibleContext().setAccessibleName("Secret");
      JCheckBox express = new JCheckBox("Express");
      JRadioButton card = new JRadioButton("Card"), cash = new JRadioButton("Cash", true);
      ButtonGroup paid = new ButtonGroup();
      paid.add(card);
      paid.add(cash);
      JComboBox<String> colour = new JComboBox<>(new String[] {"Red", "Green", "Blue"});
      colour.getAccessibleContext().setAccessibleName("Colour");
      colour.setSelectedIndex(1);
      JList<String> sizes = new JList<>(new String[] {"Small", "Medium", "Large"});
      JTabbedPane pages = new JTabbedPane();
      JTable lines = new JTable(new Object[][] {{"Nuts", "3"}, {"Bolts", "5"}}, new Object[] {"Item", "Count"});
      pages.addTab("Lines", new JScrollPane(lines));
      pages.addTab("Delivery", new JLabel("By van"));
      pages.setPreferredSize(new java.awt.Dimension(420, 120));
      JTree tree = new JTree();
      JButton ask = new JButton("Ask");
      ask.addActionListener(event -> {
        asked++;
        JOptionPane.showMessageDialog(frame, "Really?");
      });
      JButton off = new JButton("Off");
      off.setEnabled(false);
      for (java.awt.Component each : new java.awt.Component[] {label, customer, number, new JScrollPane(notes), secret, express, card, cash, colour, sizes, pages, tree, ask, off}) form.add(each);
      frame.add(form);
      frame.setBounds(60, 60, 560, 520);
      frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
      frame.setVisible(true);
      new Timer(50, event -> {
        String state = "{\"customer\":" + Note.quoted(customer.getText()) + ",\"notes\":" + Note.quoted(notes.getText())
          + ",\"number\":" + Note.quoted(number.getText()) + ",\"express\":" + express.isSelected() + ",\"card\":" + card.isSelected()
          + ",\"colour\":" + Note.quoted((String) colour.getSelectedItem()) + ",\"row\":" + lines.getSelectedRow() + ",\"size\":" + sizes.getSelectedIndex() + ",\"page\":" + pages.getSelectedIndex() + ",\"asked\":" + asked + "}";
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
