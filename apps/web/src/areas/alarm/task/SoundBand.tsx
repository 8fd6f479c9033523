import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { startSound, useSound } from '../desk/sound/player.ts'

/** Says that nothing will ring, with the button that changes it. */
export const SoundBand = ({ text }: { text?: string }) => {
  const { t } = useTranslation()
  const health = useSound((sound) => sound.health)
  if (health === 'ok') return null
  return (
    <Alert
      type="warning"
      showIcon
      title={text ?? t('task.soundOff')}
      action={
        <Button className="task-touch" onClick={() => void startSound()}>
          {t('task.soundOn')}
        </Button>
      }
    />
  )
}
