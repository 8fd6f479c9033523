import { Input, Tabs, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCopy } from '#ui/copy/use-copy.ts'
import { entryIcons } from '#ui/icon/entry-icons.ts'
import { IconGrid } from '#ui/icon/IconGrid.tsx'
import { filterIconNames } from '#ui/icon/icon-names.ts'
import { epIconNames } from '#ui/icon/EpIcon.tsx'
import '../demo.css'

const own = Object.keys(entryIcons)

/** All icons; a click copies the name. */
export const IconsPage = () => {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [tab, setTab] = useState<'own' | 'set'>('own')
  const [copied, copy] = useCopy()
  const some = { own: filterIconNames(own, text), set: filterIconNames(epIconNames, text) }
  const other = tab === 'own' ? 'set' : 'own'
  // When one tab has no match, the other tab is opened.
  const shown = some[tab].length === 0 && some[other].length > 0 ? other : tab
  const page = (key: string, label: string, names: readonly string[]) => ({
    key,
    label: `${label} (${names.length})`,
    children: <IconGrid named names={names} done={copied} label={label} onPick={copy} />,
  })
  return (
    <>
      <Typography.Paragraph type="secondary">{t('demo.iconsHelp')}</Typography.Paragraph>
      <Input
        allowClear
        className="demo-narrow"
        value={text}
        placeholder={t('icon.search')}
        aria-label={t('icon.search')}
        onChange={({ target }) => setText(target.value)}
      />
      <Tabs
        activeKey={shown}
        onChange={(key) => setTab(key === 'set' ? 'set' : 'own')}
        items={[page('own', t('icon.own'), some.own), page('set', t('icon.set'), some.set)]}
      />
    </>
  )
}
