import { Empty, Input, type InputRef, Tabs } from 'antd'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { entryIcons } from './entry-icons.ts'
import { IconGrid } from './IconGrid.tsx'
import { filterIconNames, isEpIcon } from './icon-names.ts'
import { epIconNames } from './EpIcon.tsx'

const own = Object.keys(entryIcons)

type Tab = 'own' | 'set'
type Props = { chosen: string | null | undefined; onPick: (name: string) => void }

/** The panel of the picker: our own icons and those of the set, searchable by name. */
export const IconPanel = ({ chosen, onPick }: Props) => {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [tab, setTab] = useState<Tab>(chosen && isEpIcon(chosen) ? 'set' : 'own')
  const search = useRef<InputRef>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => search.current?.focus({ preventScroll: true }), [])
  const into = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    const grids = [...(box.current?.querySelectorAll<HTMLElement>('.icon-grid') ?? [])]
    grids
      .find((grid) => grid.offsetParent)
      ?.querySelector<HTMLElement>('[tabindex="0"]')
      ?.focus()
  }
  const some = { own: filterIconNames(own, text), set: filterIconNames(epIconNames, text) }
  const other = tab === 'own' ? 'set' : 'own'
  // Where one has no match, the other is shown.
  const shown = some[tab].length === 0 && some[other].length > 0 ? other : tab
  const page = (key: Tab) => {
    const names = some[key]
    const label = t(key === 'own' ? 'icon.own' : 'icon.set')
    return {
      key,
      label: `${label} (${names.length})`,
      children:
        names.length > 0 ? (
          <IconGrid names={names} chosen={chosen ?? null} onPick={onPick} label={label} />
        ) : (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('icon.none')} />
        ),
    }
  }
  return (
    <div ref={box} className="icon-panel">
      <Input
        ref={search}
        allowClear
        value={text}
        placeholder={t('icon.search')}
        aria-label={t('icon.search')}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={into}
      />
      <Tabs
        size="small"
        activeKey={shown}
        onChange={(key) => setTab(key === 'set' ? 'set' : 'own')}
        items={[page('own'), page('set')]}
      />
    </div>
  )
}
