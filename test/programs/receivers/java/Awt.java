import java.awt.Color;
import java.awt.Dimension;
import java.awt.event.*;
import javax.swing.*;

/** An editor and an empty place below it, in Swing. */
public class Awt {
  public static void main(String[] arguments) throws Exception {
    Told told = new Told(arguments[0]);
    SwingUtilities.invokeLater(() -> {
      JFrame frame = new JFrame("probe awt");
      JMenuBar bar = new JMenuBar();
      JMenu file = new JMenu("File");
      file.setMnemonic('F');
      file.getPopupMenu().addPopupMenuListener(new javax.swing.event.PopupMenuListener() {
        public void popupMenuWillBecomeVisible(javax.swing.event.PopupMenuEvent event) { told.say("menu"); }
        public void popupMenuWillBecomeInvisible(javax.swing.event.PopupMenuEvent event) {}
        public void popupMenuCanceled(javax.swing.event.PopupMenuEvent event) {}
      });
      JMenuItem entry = new JMenuItem("New", 'N');
      entry.addActionListener(event -> told.say("chosen"));
      file.add(entry);
      bar.add(file);
      frame.setJMenuBar(bar);
      JPanel inner = new JPanel(null);
      JTextArea editor = new JTextArea();
      JPanel pad = new JPanel();
      pad.setBackground(Color.WHITE);
      editor.setBounds(0, 0, 420, 90);
      pad.setBounds(0, 90, 420, 210);
      inner.add(editor);
      inner.add(pad);
      inner.setPreferredSize(new Dimension(420, 300));
      editor.addKeyListener(new KeyAdapter() {
        public void keyPressed(KeyEvent event) { told.key(KeyEvent.getKeyText(event.getKeyCode()).toLowerCase(), event.isShiftDown(), event.isControlDown(), event.isAltDown()); }
      });
      MouseAdapter mouse = new MouseAdapter() {
        public void mousePressed(MouseEvent event) { told.at("press", event.getX(), event.getY()); }
        public void mouseReleased(MouseEvent event) { told.at("release", event.getX(), event.getY()); }
        public void mouseDragged(MouseEvent event) { told.at("drag", event.getX(), event.getY()); }
        public void mouseMoved(MouseEvent event) { told.at("hover", event.getX(), event.getY()); }
        public void mouseWheelMoved(MouseWheelEvent event) { told.say("wheel"); }
      };
      pad.addMouseListener(mouse);
      pad.addMouseMotionListener(mouse);
      pad.addMouseWheelListener(mouse);
      frame.setContentPane(inner);
      frame.setLocation(80, 80);
      frame.pack();
      frame.setVisible(true);
      editor.requestFocus();
      new Timer(50, event -> told.keep(editor.getText())).start();
      Timer ready = new Timer(500, event -> told.say("ready"));
      ready.setRepeats(false);
      ready.start();
    });
  }
}
