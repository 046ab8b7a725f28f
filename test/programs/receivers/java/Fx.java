import javafx.application.Application;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.control.*;
import javafx.scene.input.*;
import javafx.scene.layout.Pane;
import javafx.stage.Stage;

/** JavaFX's editor, and an empty place below it. */
public class Fx extends Application {
  public static class Main {
    public static void main(String[] arguments) { Application.launch(Fx.class, arguments); }
  }

  @Override
  public void start(Stage stage) throws Exception {
    Told told = new Told(getParameters().getRaw().get(0));
    MenuBar bar = new MenuBar();
    Menu file = new Menu("_File");
    MenuItem entry = new MenuItem("_New");
    entry.setOnAction(event -> told.say("chosen"));
    entry.setAccelerator(KeyCombination.keyCombination("Ctrl+G"));
    file.getItems().add(entry);
    file.setOnShown(event -> told.say("menu"));
    bar.getMenus().add(file);
    bar.setPrefWidth(420);
    TextArea editor = new TextArea();
    editor.relocate(0, 40);
    editor.setPrefSize(420, 80);
    Pane pad = new Pane();
    pad.relocate(0, 120);
    pad.setPrefSize(420, 180);
    editor.addEventFilter(KeyEvent.KEY_PRESSED, event -> told.key(event.getCode().getName().toLowerCase(), event.isShiftDown(), event.isControlDown(), event.isAltDown()));
    editor.textProperty().addListener((text, before, after) -> told.keep(after));
    pad.setOnMousePressed(event -> told.at("press", event.getSceneX(), event.getSceneY()));
    pad.setOnMouseReleased(event -> told.at("release", event.getSceneX(), event.getSceneY()));
    pad.setOnMouseDragged(event -> told.at("drag", event.getSceneX(), event.getSceneY()));
    pad.setOnMouseMoved(event -> told.at("hover", event.getSceneX(), event.getSceneY()));
    pad.setOnScroll(event -> told.say("wheel"));
    stage.setTitle("probe javafx");
    stage.setX(80);
    stage.setY(80);
    stage.setScene(new Scene(new Pane(bar, editor, pad), 420, 300));
    stage.show();
    editor.requestFocus();
    Thread later = new Thread(() -> { try { Thread.sleep(500); } catch (InterruptedException end) { return; } Platform.runLater(() -> told.say("ready")); });
    later.setDaemon(true);
    later.start();
  }
}
