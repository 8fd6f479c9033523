import { SearchOutlined } from '@ant-design/icons'
import { Input, theme } from 'antd'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '#api/session.ts'
import { setLocalItem, getLocalItem } from '#api/storage.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { EntryIcon } from '../layout/EntryIcon.tsx'
import { type MenuEntry, localTitle } from '../menu-routes.ts'
import { recentTargets, searchMenu, type SearchTarget, searchTargets, withRecent } from './search.ts'
import { type SearchTargets, useSearchResults } from './use-search-results.ts'
import './search.css'

const useRecent = () => {
  const me = useSession((session) => session.user?.id)
  const key = `searchRecent.${me ?? 0}`
  const recent = (getLocalItem(key) ?? '').split(',').filter(Boolean)
  return [recent, (chosen: string) => setLocalItem(key, withRecent(recent, chosen).join(','))] as const
}

type ListProps = { id: string; targets: readonly SearchTarget[]; at: number; onChoose: (target: SearchTarget) => void }

const Targets = ({ id, targets, at, onChoose }: ListProps) => {
  const lang = useLang()
  const { token } = theme.useToken()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <ul ref={list} role="listbox" id={id} className="search-list">
      {targets.map((target, place) => (
        <li
          key={target.key}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === at}
          style={{ background: place === at ? token.controlItemBgActive : undefined }}
          onClick={() => onChoose(target)}
        >
          <EntryIcon name={target.icon} title={localTitle(target, lang)} />
          <span>{localTitle(target, lang)}</span>
          <small style={{ color: token.colorTextSecondary }}>
            {target.above.map((item) => localTitle(item, lang)).join(' / ')}
          </small>
        </li>
      ))}
    </ul>
  )
}

type Props = {
  entries: readonly MenuEntry[]
  places: SearchTargets
  onClose: () => void
}

/** Finds pages of the menu by name in either language, alarm records, schools and users; usable by keyboard alone. */
export const SearchDialog = ({ entries, places, onClose }: Props) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const navigate = useNavigate()
  const id = useId()
  const [recent, remember] = useRecent()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const all = searchTargets(entries)
  const searching = text.trim() !== ''
  const found = useSearchResults(text, places)
  const targets = searching ? [...searchMenu(all, text), ...found.targets] : recentTargets(all, recent)
  // Later results may be inserted before it: the selection follows its item, not its position.
  const at = Math.max(
    0,
    targets.findIndex(({ key }) => key === chosen),
  )
  const choose = (target: SearchTarget | undefined) => {
    if (!target) return
    if (all.includes(target)) remember(target.key)
    onClose()
    if (target.href) window.open(target.href, '_blank', 'noreferrer,noopener')
    else if (target.path) void navigate(target.path)
  }
  const pressed = (event: KeyboardEvent) => {
    // An input method uses Enter and arrows while it composes a word.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setChosen(targets[(at + step + targets.length) % Math.max(1, targets.length)]?.key)
    else if (event.key === 'Enter') choose(targets[at])
    else return
    event.preventDefault()
  }
  // "No matches" is known once all sources have answered.
  const nothing = found.open ? 'shell.loading' : found.failed ? 'list.failed' : 'shell.searchNone'
  const none = t(searching ? nothing : 'shell.searchHint')
  return (
    <AppModal
      title={t('shell.search')}
      footer={null}
      // A user who types right after the shortcut must not lose a letter: no animation, and nothing else takes the
      // focus.
      closable={false}
      mask={{ closable: true }}
      transitionName=""
      maskTransitionName=""
      onCancel={onClose}
      styles={{ body: { minHeight: 240 } }}
    >
      <Input
        autoFocus
        prefix={<SearchOutlined />}
        value={text}
        placeholder={t('shell.searchPlaceholder')}
        role="combobox"
        aria-label={t('shell.search')}
        aria-expanded={targets.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        {...(targets.length > 0 && { 'aria-activedescendant': `${id}-${at}` })}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(undefined)
        }}
        onKeyDown={pressed}
      />
      <p className="search-note" role="status" style={{ color: token.colorTextSecondary }}>
        {targets.length === 0 ? none : t(searching ? 'shell.searchFound' : 'shell.searchRecent', { n: targets.length })}
      </p>
      <Targets id={id} targets={targets} at={at} onChoose={choose} />
    </AppModal>
  )
}
