/** All style sheets, in their order: the later ones may overrule those before. */
import './style/fonts.css';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/layout.css';
import './style/table.css';
import './style/groups.css';
import './style/sides.css';
import './style/panel.css';
import './style/dialogs.css';
import './style/forced.css';
import './style/print.css';
