/** How programs name the command that pastes, in the languages of the other lists. */
import { foldText, withoutAccessKeys } from '../text.ts';

const PASTE =
  /(?:^|[^\p{L}])(?:paste|einfugen|coller|pegar|colar|incolla|plakken|wklej|klistra in|sæt ind|saet ind|lim inn|liita|vlozit|beillesztes|yapistir|вставить|вставка|επικολληση)(?:$|[^\p{L}])|貼り付け|ペースト|粘贴|貼上|붙여넣기/u;

export const saysPaste = (name: string): boolean => PASTE.test(foldText(withoutAccessKeys(name)));
