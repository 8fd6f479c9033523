import { Input, Tabs, Typography } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '#ui/icon/copy.ts'
import { entryIcons } from '#ui/icon/entry-icons.ts'
import { IconGrid } from '#ui/icon/IconGrid.tsx'
import { found } from '#ui/icon/names.ts'
import { setNames } from '#ui/icon/set.tsx'
import { notify } from '#ui/notify.ts'
import '../demo.css'

const own = Object.keys(entryIcons)
/** SPEC 9. */
const COPIED_MS = 1500

const useCopied = () => {
  const [copied, setCopied] = useState<{ name: string }>()
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(undefined), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied?.name, (name: string) => setCopied({ name })] as const
}

/** Every icon there is; a click copies its name. */
export const IconsPage = () => {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [copied, setCopied] = useCopied()
  const copy = async (name: string) => {
    if (!(await copyText(name))) return notify.error(t('icon.copyFailed'))
    setCopied(name)
    notify.success(t('icon.copied'))
  }
  const page = (key: string, label: string, names: readonly string[]) => ({
    key,
    label: `${label} (${names.length})`,
    children: <IconGrid named names={names} done={copied} label={label} onPick={(name) => void copy(name)} />,
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
      <Tabs items={[page('own', t('icon.own'), found(own, text)), page('set', t('icon.set'), found(setNames, text))]} />
    </>
  )
}
