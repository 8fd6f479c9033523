import { useTranslation } from 'react-i18next'

export const YesNoText = ({ yes }: { yes: boolean | null }) => {
  const { t } = useTranslation()
  return <>{yes === null ? '–' : t(yes ? 'list.yes' : 'list.no')}</>
}
