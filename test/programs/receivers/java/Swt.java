import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.widgets.*;

/** SWT's own editor, and an empty place below it. */
public class Swt {
  public static void main(String[] arguments) throws Exception {
    Told told = new Told(arguments[0]);
    Display display = new Display();
    Shell shell = new Shell(display);
    shell.setText("probe swt");
    Menu bar = new Menu(shell, SWT.BAR);
    shell.setMenuBar(bar);
    MenuItem file = new MenuItem(bar, SWT.CASCADE);
    file.setText("&File");
    Menu options = new Menu(shell, SWT.DROP_DOWN);
    file.setMenu(options);
    options.addListener(SWT.Show, event -> told.say("menu"));
    MenuItem entry = new MenuItem(options, SWT.PUSH);
    entry.setText("&New");
    entry.setAccelerator(SWT.MOD1 + 'G');
    entry.addListener(SWT.Selection, event -> told.say("chosen"));
    StyledText editor = new StyledText(shell, SWT.MULTI);
    editor.setBounds(0, 0, 420, 120);
    Canvas pad = new Canvas(shell, SWT.NONE);
    pad.setBounds(0, 120, 420, 180);
    editor.addListener(SWT.KeyDown, event -> {
      String name = event.keyCode == SWT.F5 ? "f5" : event.keyCode == SWT.ARROW_RIGHT ? "right" : event.keyCode < 256 ? "" + (char) event.keyCode : "";
      told.key(name, (event.stateMask & SWT.SHIFT) != 0, (event.stateMask & SWT.CTRL) != 0, (event.stateMask & SWT.ALT) != 0);
    });
    editor.addListener(SWT.Modify, event -> told.keep(editor.getText()));
    pad.addListener(SWT.MouseDown, event -> told.at("press", event.x, event.y + 120));
    pad.addListener(SWT.MouseUp, event -> told.at("release", event.x, event.y + 120));
    pad.addListener(SWT.MouseMove, event -> told.at((event.stateMask & SWT.BUTTON1) != 0 ? "drag" : "hover", event.x, event.y + 120));
    pad.addListener(SWT.MouseWheel, event -> told.say("wheel"));
    shell.setBounds(80, 80, 440, 360);
    shell.open();
    editor.setFocus();
    display.timerExec(300, () -> told.say("ready"));
    while (!shell.isDisposed()) if (!display.readAndDispatch()) display.sleep();
  }
}
