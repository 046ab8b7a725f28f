// Microsoft's managed UI Automation proxies (UIAutomationClientSideProviders.dll) behind a pipe, for the test DLL uia-com: which
// elements a window has, what each shows, and what each verb does, is their answer alone. A line asks, a line answers; fields are
// separated by tabs. An element is named `w HANDLE` (a window) or `i NUMBER HANDLE` (a part of that window).
//   children KEY · parent KEY · show KEY · do KEY VERB ARGUMENT · selection KEY · cell KEY ROW COLUMN
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Windows.Automation;
using System.Windows.Automation.Provider;

/** An element: the providers that make it up, in the order in which they are asked. */
sealed class Node
{
    public IntPtr Window;
    public string Key;
    public Node Above;
    public readonly List<IRawElementProviderSimple> Providers = new List<IRawElementProviderSimple>();

    public object Property(AutomationProperty property)
    {
        foreach (var provider in Providers)
        {
            object value;
            try { value = provider.GetPropertyValue(property.Id); }
            // WPF's own client takes the next provider's answer then
            catch (Exception) { continue; }
            if (value != null && value != AutomationElement.NotSupported) return value;
        }
        return null;
    }

    public T Pattern<T>(AutomationPattern pattern) where T : class
    {
        foreach (var provider in Providers)
        {
            try { if (provider.GetPatternProvider(pattern.Id) is T found) return found; }
            catch (Exception) { return null; }
        }
        return null;
    }

    public IEnumerable<IRawElementProviderFragment> Fragments => Providers.OfType<IRawElementProviderFragment>();
}

static class Proxies
{
    const BindingFlags Inner = BindingFlags.Static | BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;
    const int MostChildren = 1000;
    static readonly Type manager = typeof(AutomationElement).Assembly.GetType("MS.Internal.Automation.ProxyManager");
    static readonly Type windowProvider = typeof(AutomationElement).Assembly.GetType("MS.Internal.Automation.HwndProxyElementProvider");
    static readonly MethodInfo proxyFrom = manager.GetMethod("ProxyProviderFromHwnd", Inner);
    static readonly MethodInfo frameFrom = manager.GetMethod("GetNonClientProvider", Inner);
    static readonly Type handleType = proxyFrom.GetParameters()[0].ParameterType;
    static readonly Dictionary<string, Node> nodes = new Dictionary<string, Node>();
    static readonly Dictionary<string, int> numbers = new Dictionary<string, int>();

    static object Handle(IntPtr window) => handleType.GetMethod("Cast", Inner).Invoke(null, new object[] { window });

    static IRawElementProviderSimple Tried(Func<object> make)
    {
        try { return (IRawElementProviderSimple)make(); }
        catch (Exception) { return null; }
    }

    static IntPtr WindowOf(IRawElementProviderSimple provider)
    {
        for (var type = provider.GetType(); type != null; type = type.BaseType)
        {
            var value = type.GetField("_hwnd", Inner | BindingFlags.DeclaredOnly)?.GetValue(provider);
            if (value is IntPtr window) return window;
            if (value != null && value.GetType() == handleType) return (IntPtr)handleType.GetField("h", Inner).GetValue(value);
        }
        return IntPtr.Zero;
    }

    static bool IsOfWindow(IRawElementProviderSimple provider)
    {
        try { return provider.GetType() == windowProvider || provider.HostRawElementProvider != null; }
        catch (Exception) { return false; }
    }

    /** A window's providers: one that its parent gives, the proxy of its class, its frame, the window itself. */
    static Node OfWindow(IntPtr window, Node above, IRawElementProviderSimple overriding, IRawElementProviderSimple main)
    {
        var node = new Node { Window = window, Above = above, Key = "w " + window };
        foreach (var provider in new[]
        {
            overriding,
            main ?? Tried(() => proxyFrom.Invoke(null, new[] { Handle(window), 0, -4 })),
            Tried(() => frameFrom.Invoke(null, new object[] { window })),
            Tried(() => Activator.CreateInstance(windowProvider, Inner, null, new[] { Handle(window) }, null)),
        })
            if (provider != null) node.Providers.Add(provider);
        return nodes[node.Key] = node;
    }

    static IRawElementProviderFragment Step(IRawElementProviderSimple from, NavigateDirection direction)
    {
        try { return (from as IRawElementProviderFragment)?.Navigate(direction); }
        catch (Exception) { return null; }
    }

    static IRawElementProviderSimple OverrideOf(Node above, IntPtr window) =>
        above.Providers.OfType<IRawElementProviderHwndOverride>()
            .Select(each => Tried(() => each.GetOverrideProviderForHwnd(window)))
            .FirstOrDefault(each => each != null);

    /** Parts are known by their place, as the proxies know them: a part that takes the place of another is the same to them. */
    static Node OfPart(IRawElementProviderSimple provider, IntPtr window)
    {
        var parent = Step(provider, NavigateDirection.Parent);
        var above = parent == null || IsOfWindow(parent) ? Find("w " + window) : OfPart(parent, window);
        var id = (provider as IRawElementProviderFragment)?.GetRuntimeId() ?? new int[0];
        var place = above.Key + "/" + provider.GetType().Name + string.Join(".", id);
        if (!numbers.TryGetValue(place, out var number)) numbers[place] = number = numbers.Count + 1;
        var node = new Node { Window = window, Above = above, Key = "i " + number + " " + window };
        node.Providers.Add(provider);
        return nodes[node.Key] = node;
    }

    /** Null for a window that another control shows as its own. */
    static Node Child(IRawElementProviderSimple provider, Node above)
    {
        if (!IsOfWindow(provider)) return OfPart(provider, above.Window);
        var window = WindowOf(provider);
        var isPlain = provider.GetType() == windowProvider;
        var isOverride = !isPlain && (provider.ProviderOptions & ProviderOptions.OverrideProvider) != 0;
        var node = isPlain ? OfWindow(window, above, OverrideOf(above, window), null)
            : isOverride ? OfWindow(window, above, provider, null)
            : OfWindow(window, above, null, provider);
        var creator = isPlain ? node.Providers.Count - 1 : 0;
        var link = node.Providers.FindIndex(each => Step(each, NavigateDirection.Parent) != null);
        return Math.Max(link, 0) == creator ? node : null;
    }

    /** Under Wine every window has a title bar and a menu bar to them; these are left out. */
    static bool IsOfWine(IRawElementProviderSimple provider) =>
        provider.GetType().Name == "WindowsTitleBar" || provider.GetType().Name == "WindowsMenu";

    static List<Node> Children(Node node)
    {
        var found = new List<Node>();
        for (var index = node.Providers.Count - 1; index >= 0; index--)
        {
            var at = Step(node.Providers[index], NavigateDirection.FirstChild);
            for (; at != null && found.Count < MostChildren; at = Step(at, NavigateDirection.NextSibling))
                if (!IsOfWine(at) && Child(at, node) is Node child) found.Add(child);
        }
        return found;
    }

    static Node Find(string key)
    {
        if (nodes.TryGetValue(key, out var node)) return node;
        if (!key.StartsWith("w ")) throw new ElementNotAvailableException();
        return OfWindow((IntPtr)long.Parse(key.Substring(2)), null, null, null);
    }

    // ---- what an element shows ----

    static string Word(object value)
    {
        switch (value)
        {
            case null: return "";
            case bool flag: return flag ? "1" : "0";
            case Enum state: return Convert.ToInt32(state).ToString();
            case ControlType type: return type.Id.ToString();
            default: return Convert.ToString(value, CultureInfo.InvariantCulture).Replace("\\", "\\\\").Replace("\t", "\\t").Replace("\r", "\\r").Replace("\n", "\\n");
        }
    }

    static string Asked(Func<object> question)
    {
        try { return Word(question()); }
        catch (Exception) { return ""; }
    }

    static readonly AutomationPattern[] patterns =
    {
        InvokePattern.Pattern, SelectionPattern.Pattern, ValuePattern.Pattern, RangeValuePattern.Pattern, ScrollPattern.Pattern, ExpandCollapsePattern.Pattern,
        GridPattern.Pattern, GridItemPattern.Pattern, SelectionItemPattern.Pattern, TablePattern.Pattern, TableItemPattern.Pattern, TextPattern.Pattern,
        TogglePattern.Pattern, ScrollItemPattern.Pattern,
    };

    static readonly AutomationProperty[] plain =
    {
        AutomationElement.ControlTypeProperty, AutomationElement.NameProperty, AutomationElement.AutomationIdProperty, AutomationElement.IsEnabledProperty,
        AutomationElement.IsOffscreenProperty, AutomationElement.IsPasswordProperty, AutomationElement.IsKeyboardFocusableProperty,
        AutomationElement.IsControlElementProperty, AutomationElement.IsContentElementProperty,
    };

    static string Place(Node node)
    {
        foreach (var fragment in node.Fragments)
        {
            try
            {
                var place = fragment.BoundingRectangle;
                if (!place.IsEmpty) return FormattableString.Invariant($"{(int)place.Left},{(int)place.Top},{(int)place.Right},{(int)place.Bottom}");
            }
            catch (Exception) { }
        }
        return "0,0,0,0";
    }

    static string Show(Node node)
    {
        var offered = 0u;
        foreach (var pattern in patterns)
            if (node.Pattern<object>(pattern) != null) offered |= 1u << (pattern.Id - 10000);
        var value = node.Pattern<IValueProvider>(ValuePattern.Pattern);
        var range = node.Pattern<IRangeValueProvider>(RangeValuePattern.Pattern);
        var grid = node.Pattern<IGridProvider>(GridPattern.Pattern);
        var cell = node.Pattern<IGridItemProvider>(GridItemPattern.Pattern);
        var fields = plain.Select(each => Word(node.Property(each))).Concat(new[]
        {
            offered.ToString(), Place(node), node.Providers[0].GetType().Name,
            value == null ? "" : Asked(() => value.Value), value == null ? "" : Asked(() => value.IsReadOnly),
            range == null ? "" : Asked(() => range.Value), range == null ? "" : Asked(() => range.Minimum), range == null ? "" : Asked(() => range.Maximum),
            range == null ? "" : Asked(() => range.IsReadOnly),
            Asked(() => node.Pattern<IToggleProvider>(TogglePattern.Pattern)?.ToggleState),
            Asked(() => node.Pattern<IExpandCollapseProvider>(ExpandCollapsePattern.Pattern)?.ExpandCollapseState),
            Asked(() => node.Pattern<ISelectionItemProvider>(SelectionItemPattern.Pattern)?.IsSelected),
            Asked(() => node.Pattern<ISelectionProvider>(SelectionPattern.Pattern)?.CanSelectMultiple),
            Asked(() => grid?.RowCount), Asked(() => grid?.ColumnCount), Asked(() => cell?.Row), Asked(() => cell?.Column),
        });
        return string.Join("\t", fields);
    }

    // ---- verbs ----

    static void Do(Node node, string verb, string argument)
    {
        var item = node.Pattern<ISelectionItemProvider>(SelectionItemPattern.Pattern);
        var opening = node.Pattern<IExpandCollapseProvider>(ExpandCollapsePattern.Pattern);
        switch (verb)
        {
            case "invoke": node.Pattern<IInvokeProvider>(InvokePattern.Pattern).Invoke(); break;
            case "toggle": node.Pattern<IToggleProvider>(TogglePattern.Pattern).Toggle(); break;
            case "select": item.Select(); break;
            case "add-to-selection": item.AddToSelection(); break;
            case "deselect": item.RemoveFromSelection(); break;
            case "expand": opening.Expand(); break;
            case "collapse": opening.Collapse(); break;
            case "set-value": node.Pattern<IValueProvider>(ValuePattern.Pattern).SetValue(argument); break;
            case "set-range": node.Pattern<IRangeValueProvider>(RangeValuePattern.Pattern).SetValue(double.Parse(argument, CultureInfo.InvariantCulture)); break;
            case "scroll-into-view": node.Pattern<IScrollItemProvider>(ScrollItemPattern.Pattern).ScrollIntoView(); break;
            default: throw new ArgumentException(verb);
        }
    }

    static uint Status(Exception error)
    {
        switch (error)
        {
            case ElementNotEnabledException _: return 0x80040200;
            case ElementNotAvailableException _: return 0x80040201;
            case InvalidOperationException _: return 0x80131509;
            case ArgumentException _: return 0x80070057;
            case TimeoutException _: return 0x80131505;
            case UnauthorizedAccessException _: return 0x80070005;
            default: return 0x80004005;
        }
    }

    static IEnumerable<Node> Selected(Node node) =>
        node.Pattern<ISelectionProvider>(SelectionPattern.Pattern)?.GetSelection().Select(each => OfPart(each, node.Window)) ?? new Node[0];

    static string Keys(IEnumerable<Node> found) => string.Join("\t", found.Select(each => each.Key));

    static string Answer(string[] words)
    {
        var node = Find(words[1]);
        switch (words[0])
        {
            case "children": return Keys(Children(node));
            case "parent": return node.Above?.Key ?? "";
            case "show": return Show(node);
            case "selection": return Keys(Selected(node));
            case "cell": return OfPart(node.Pattern<IGridProvider>(GridPattern.Pattern).GetItem(int.Parse(words[2]), int.Parse(words[3])), node.Window).Key;
            case "do":
                Do(node, words[2], words[3].Replace("\\n", "\n").Replace("\\r", "\r").Replace("\\t", "\t").Replace("\\\\", "\\"));
                return "";
            default: throw new ArgumentException(words[0]);
        }
    }

    [STAThread]
    static void Main(string[] words)
    {
        using (var pipe = new NamedPipeServerStream(words[0], PipeDirection.InOut, 1))
        {
            Console.WriteLine("ready");
            pipe.WaitForConnection();
            var reader = new StreamReader(pipe, new UnicodeEncoding(false, false));
            var writer = new StreamWriter(pipe, new UnicodeEncoding(false, false)) { AutoFlush = true };
            for (string line; (line = reader.ReadLine()) != null;)
            {
                string answer;
                try { answer = "0\t" + Answer(line.Split('\t')); }
                catch (Exception error)
                {
                    while (error is TargetInvocationException && error.InnerException != null) error = error.InnerException;
                    answer = Status(error) + "\t" + Word(error.GetType().Name + ": " + error.Message);
                }
                writer.Write(answer + "\n");
            }
        }
    }
}
